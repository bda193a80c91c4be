; SPDX-License-Identifier: BSD-2-Clause
; Work at CPL 3: 6 instructions, and a transaction of XBEGIN, 3 instructions and XABORT, which may also abort before any
; of them.

%include "harness/settled_work.inc"

%macro work 0
%rep 6
    lea rbx, [rbx + 1]
%endrep
    xbegin %%aborted
    lea rcx, [rcx + 1]
    lea rdx, [rdx + 1]
    lea rsi, [rsi + 1]
    xabort 0x5a
%%aborted:
%endmacro
SETTLED aborts
