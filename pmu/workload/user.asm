; SPDX-License-Identifier: BSD-2-Clause
; The frame of a counted block whose work runs above CPL 0. WRMSR needs CPL 0, so the way there and back counts too.

%include "pmu/workload/counted.inc"

extern ring_run

section .text
global counted_user, counted_at

; counted_user(const struct switch_write *sw, u64 k, void (*work)(u64 k))
counted_user:
    mov ecx, 3
; counted_at(const struct switch_write *sw, u64 k, void (*work)(u64 k), unsigned cpl)
counted_at:
    push rbx
    push r14
    mov r14d, ecx
    ASK_GATE
    push r12
    push r13
    pushfq                              ; the return from another CPL leaves interrupts off
    mov rbx, rdi
    mov r12, rsi
    mov r13, rdx
    mov edi, r14d                       ; first pass: only to warm up, no counter is on
    mov rsi, rdx
    mov edx, 1
    call ring_run
    push qword [rsp]                    ; the caller's interrupt flag
    popfq
    SWITCH rbx, SWITCH_ON
    mov edi, r14d
    mov rsi, r13
    mov rdx, r12
    call ring_run
    SWITCH rbx, SWITCH_OFF
    popfq
    pop r13
    pop r12
    pop r14
    pop rbx
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
