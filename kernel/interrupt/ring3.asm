; SPDX-License-Identifier: BSD-2-Clause
; To CPL 3 and back. Code there returns by `int VECTOR_RING3_RETURN` (81H); trap() makes its frame return to ring3_back.

%include "boot/callee.inc"

%include "cpu.inc"

bits 64
section .text
global ring3_enter, ring3_back

; u64 ring3_enter(void (*code)(u64), u64 argument, u64 user_stack, u64 *kernel_rsp, u64 cs, u64 ss)
ring3_enter:
    PUSH_CALLEE_SAVED
    mov [rcx], rsp
    pushfq
    pop rax
    mov r10, rdi
    mov rdi, rsi                        ; argument for the code
    push r9
    push rdx
    push rax                            ; RFLAGS with the same interrupt flag as here
    push r8
    push r10
    iretq

; Entered by IRET at CPL 0 with RSP as stored above and RAX = the result.
ring3_back:
    POP_CALLEE_SAVED
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
