; SPDX-License-Identifier: BSD-2-Clause
; Entry and abort of a guarded call: guard_enter stores its state, and trap() makes a fault's IRET go to guard_abort.

bits 64
section .text
global guard_enter, guard_abort

; bool guard_enter(struct guard_context *context, void (*function)(void *), void *argument)
; False if the function returned, true if it was aborted. Order of the fields: struct guard_context in interrupt.h.
guard_enter:
    mov [rdi + 0], rsp
    mov [rdi + 8], rbx
    mov [rdi + 16], rbp
    mov [rdi + 24], r12
    mov [rdi + 32], r13
    mov [rdi + 40], r14
    mov [rdi + 48], r15
    pushfq
    pop rax
    mov [rdi + 56], rax
    sub rsp, 8                          ; align the stack for the call, as the ABI requires
    mov rax, rsi
    mov rdi, rdx
    call rax
    add rsp, 8
    xor eax, eax
    ret

; Entered by IRET with RDI = context and RSP = its value at the entry of guard_enter.
guard_abort:
    mov rbx, [rdi + 8]
    mov rbp, [rdi + 16]
    mov r12, [rdi + 24]
    mov r13, [rdi + 32]
    mov r14, [rdi + 40]
    mov r15, [rdi + 48]
    push qword [rdi + 56]
    popfq
    mov eax, 1
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
