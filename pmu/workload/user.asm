; SPDX-License-Identifier: BSD-2-Clause
; The frame of a counted block whose work runs at CPL 3. WRMSR needs CPL 0, so the way to CPL 3 and back counts too.

%include "pmu/workload/counted.inc"

extern ring3_run

section .text
global counted_user

; counted_user(const struct switch_write *sw, u64 k, void (*work)(u64 k))
counted_user:
    ASK_GATE
    push rbx
    push r12
    push r13
    pushfq                              ; the return from CPL 3 leaves interrupts off
    sub rsp, 8
    mov rbx, rdi
    mov r12, rsi
    mov r13, rdx
    mov rdi, rdx                        ; first pass: only to warm up, no counter is on
    mov esi, 1
    call ring3_run
    push qword [rsp + 8]                ; the caller's interrupt flag
    popfq
    SWITCH rbx, SWITCH_ON
    mov rdi, r13
    mov rsi, r12
    call ring3_run
    SWITCH rbx, SWITCH_OFF
    add rsp, 8
    popfq
    pop r13
    pop r12
    pop rbx
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
