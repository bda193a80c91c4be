; One entry per vector. Each leaves a struct frame and calls trap(frame).

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
    POP_REGISTERS
    add rsp, 16                         ; vector and error code
    iretq

section .note.GNU-stack noalloc noexec nowrite progbits
