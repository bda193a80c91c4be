; SPDX-License-Identifier: BSD-2-Clause
; Into translated blocks and back (block.h). All registers but RIP may be changed.

%include "boot/callee.inc"

bits 64
default rel
section .text
global block_enter, block_leave

%include "cpu.inc"

RFLAGS  equ 128                         ; struct block_state
OWN_RSP equ 168
STUB    equ 184

KEPT    equ RFLAGS_STATUS | RFLAGS_DF

; void block_enter(struct block_state *state): the stub loads RDI.
block_enter:
    PUSH_CALLEE_SAVED
    pushfq
    mov [rdi + OWN_RSP], rsp
    mov rax, [rsp]
    mov rcx, [rdi + RFLAGS]
    and rax, ~KEPT
    and ecx, KEPT
    or rax, rcx
    push rax
    popfq
    mov rax, [rdi]
    mov rcx, [rdi + 1 * 8]
    mov rdx, [rdi + 2 * 8]
    mov rbx, [rdi + 3 * 8]
    mov rsp, [rdi + 4 * 8]
    mov rbp, [rdi + 5 * 8]
    mov rsi, [rdi + 6 * 8]
%assign n 8
%rep 8
    mov r %+ n, [rdi + n * 8]
    %assign n n + 1
%endrep
    jmp [rdi + STUB]

; RCX is the state; the guest's RCX is already in it.
block_leave:
    mov [rcx], rax
    mov [rcx + 2 * 8], rdx
    mov [rcx + 3 * 8], rbx
    mov [rcx + 4 * 8], rsp
    mov [rcx + 5 * 8], rbp
    mov [rcx + 6 * 8], rsi
    mov [rcx + 7 * 8], rdi
%assign n 8
%rep 8
    mov [rcx + n * 8], r %+ n
    %assign n n + 1
%endrep
    mov rsp, [rcx + OWN_RSP]
    pushfq
    pop qword [rcx + RFLAGS]
    popfq
    POP_CALLEE_SAVED
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
