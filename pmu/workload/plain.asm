; SPDX-License-Identifier: BSD-2-Clause
; Register arithmetic in instructions of distinct lengths.

%include "pmu/workload/counted.inc"

%macro work 0
    ARITHMETIC
%endmacro

COUNTED plain, instructions = 12*k + 6, branches = 2*k + 2
