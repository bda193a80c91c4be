; SPDX-License-Identifier: BSD-2-Clause
; Loads, stores, and both in one instruction, all within the stack and aligned.

%include "pmu/workload/counted.inc"

%macro work 0
    mov [rsp], rax
    mov rdx, [rsp + 8]
    mov [rsp + 64], edx
    movzx edi, byte [rsp + 16]
    add [rsp + 24], rdi
    mov rax, [rsp]
    add eax, [rsp + 32]
%endmacro

COUNTED memory, instructions = 11*k + 6, branches = 2*k + 2
