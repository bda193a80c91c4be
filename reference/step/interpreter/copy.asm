; SPDX-License-Identifier: BSD-2-Clause
; Executes the copy of an instruction (interpret.h). The copy may change the registers in struct copy_state and no others.

bits 64
default rel
section .text
global copy_enter, copy_failed

RCX_AT  equ 8                           ; struct copy_state
RDX_AT  equ 16
RSI_AT  equ 24
RDI_AT  equ 32
R8_AT   equ 40
FLAGS   equ 48

; bool copy_enter(struct copy_state *state, const void *code): flags as in arithmetic.c.
copy_enter:
    mov r10, rdi
    mov r11, rsi
    lea r9, [.back]
    mov rcx, [r10 + RCX_AT]
    mov rdx, [r10 + RDX_AT]
    mov rsi, [r10 + RSI_AT]
    mov rdi, [r10 + RDI_AT]
    mov r8, [r10 + R8_AT]
    mov eax, [r10 + FLAGS]
    add al, 127
    sahf
    mov rax, [r10]
    jmp r11
.back:
    mov [r10], rax
    lahf
    seto al
    mov [r10 + FLAGS], eax
    mov [r10 + RCX_AT], rcx
    mov [r10 + RDX_AT], rdx
    mov [r10 + RSI_AT], rsi
    mov [r10 + RDI_AT], rdi
    mov [r10 + R8_AT], r8
    mov eax, 1
    ret
copy_failed:
    xor eax, eax
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
