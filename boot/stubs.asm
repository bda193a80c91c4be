; SPDX-License-Identifier: BSD-2-Clause
; One entry per vector. Each builds a struct frame and calls trap(frame).

%include "boot/stubs.inc"

bits 64
section .text
extern trap
global stubs

align 16
stubs:
    STUB_TABLE enter_trap

enter_trap:
    PUSH_REGISTERS
    mov rdi, rsp
    cld
    call trap
    test al, al
    jnz .without_iret
    POP_REGISTERS
    add rsp, 16                         ; drop vector and error code
    iretq
.without_iret:                          ; copies RIP and RFLAGS to the interrupted stack instead
    mov rcx, [rsp + FRAME_RSP]
    sub rcx, 16
    mov rax, [rsp + FRAME_RIP]
    mov [rcx + 8], rax
    mov rax, [rsp + FRAME_RFLAGS]
    mov [rcx], rax
    mov [rsp + FRAME_RSP], rcx
    POP_REGISTERS
    mov rsp, [rsp + FRAME_RSP - FRAME_VECTOR]
    popfq
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
