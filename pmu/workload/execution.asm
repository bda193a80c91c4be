; SPDX-License-Identifier: BSD-2-Clause
; A block that computes with packed and scalar numbers of single and double precision and with 128-bit integers, two
; instructions of each kind in a round of 12. The image itself does not use XMM registers and keeps them disabled; the
; block enables them until its end. All values are 0, so that no instruction needs a microcode assist.
;
;   execution_run(const struct switch_write *sw, u64 rounds)      workload.h

%include "pmu/workload/counted.inc"

%include "cpu.inc"

section .text
align 64
global execution_run, execution_start, execution_end
execution_run:                          ; RDI = struct switch_write, RSI = rounds
    ASK_GATE
    mov r8, cr0
    mov r9, cr4
    mov rax, r8
    and rax, ~(CR0_EM | CR0_TS)
    mov cr0, rax
    mov rax, r9
    or rax, CR4_OSFXSR
    mov cr4, rax
    xorps xmm0, xmm0
    xorps xmm1, xmm1
    SWITCH rdi, SWITCH_ON
execution_start:
.round:
    addps xmm0, xmm1
    addpd xmm0, xmm1
    addss xmm0, xmm1
    addsd xmm0, xmm1
    paddd xmm0, xmm1
    mulps xmm0, xmm1
    mulpd xmm0, xmm1
    mulss xmm0, xmm1
    mulsd xmm0, xmm1
    pxor xmm0, xmm1
    sub rsi, 1
    jnz .round
    mov eax, [rdi + SWITCH_OFF]
    mov edx, [rdi + SWITCH_OFF + 4]
    wrmsr
execution_end:
    mov cr4, r9
    mov cr0, r8
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
