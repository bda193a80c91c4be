; SPDX-License-Identifier: BSD-2-Clause
; Loops at CPL 0 for pmi.by-instruction: each runs RDI times, and its body has an instruction that other counted blocks
; must not contain.

%macro LOOP 1
global %1
%1:
    mov r8, rdi
    mov r9, rbx                         ; CPUID changes RBX
    mov r10d, cs
    mov r11d, ss
%%again:
    work
    sub r8, 1
    jnz %%again
    mov rbx, r9
    ret
%unmacro work 0
%endmacro

bits 64
default rel
section .text

%macro work 0
    lea rdx, [rsp]
    push r11
    push rdx
    pushfq
    push r10
    lea rax, [%%back]
    push rax
    iretq
%%back:
%endmacro
LOOP by_iret

%macro work 0
    push r10
    lea rax, [%%back]
    push rax
    retfq
%%back:
%endmacro
LOOP by_far_return

%macro work 0
    xor eax, eax
    cpuid
%endmacro
LOOP by_cpuid

%macro work 0
    xor ecx, ecx
    rdpmc
%endmacro
LOOP by_rdpmc

; Copies a part of the stack to where it is.
STRING_QWORDS       equ 16
%macro work 0
    lea rsi, [rsp]
    mov rdi, rsi
    mov ecx, STRING_QWORDS
    rep movsq
%endmacro
LOOP by_string

section .note.GNU-stack noalloc noexec nowrite progbits
