; SPDX-License-Identifier: BSD-2-Clause
; All kinds of near branches: conditional ones taken and not taken, unconditional, call and return.

%include "pmu/workload/counted.inc"

%macro work 0
    cmp eax, eax
    lea r10, [r10 + 1]
    jne %%never
    je %%taken
%%never:
    int3
%%taken:
    call %%function
    jmp %%over
%%function:
    add edx, 1
    ret
%%over:
%endmacro

COUNTED branches, instructions = 12*k + 6, branches = 7*k + 2
