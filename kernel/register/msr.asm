; SPDX-License-Identifier: BSD-2-Clause
; RDMSR and RDPMC that return their faults: trap() puts the fault into RAX and continues at the fix-up address. WRMSR is
; in msr.c, behind the gate and not callable on its own.

bits 64

%macro MAY_FAULT 1              ; the instruction; a fault returns from the function with RAX = fault
%%instruction:
    %1
section extable
    dq %%instruction, may_fault_return
section .text
%endmacro

section .text
global rdmsr_untold_try, rdpmc_try

may_fault_return:
    ret

; fault_t rdmsr_untold_try(u32 msr, u64 *value)
rdmsr_untold_try:
    mov ecx, edi
    MAY_FAULT rdmsr
    jmp give_value

; fault_t rdpmc_try(u32 index, u64 *value)
rdpmc_try:
    mov ecx, edi
    MAY_FAULT rdpmc
give_value:
    shl rdx, 32
    mov eax, eax
    or rax, rdx
    mov [rsi], rax
    xor eax, eax
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
