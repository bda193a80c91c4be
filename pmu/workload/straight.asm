; SPDX-License-Identifier: BSD-2-Clause
; 512 consecutive instructions without a branch, of lengths 2 to 7: the RIP at a PMI shows how far it has skidded.

%include "pmu/workload/counted.inc"

%macro work 0
    %rep 64
    ARITHMETIC
    %endrep
%endmacro

COUNTED straight, instructions = 516*k + 6, branches = 2*k + 2
