; SPDX-License-Identifier: BSD-2-Clause
; The loop whose speed is measured: two instructions a turn.

%include "cpu.inc"

bits 64
section .text
global speed_loop, speed_loop_trapped, speed_trap

; void speed_loop(u64 turns)
speed_loop:
    dec rdi
    jnz speed_loop
    ret

; void speed_loop_trapped(u64 turns): the same with a #DB after each instruction
speed_loop_trapped:
    pushfq
    or qword [rsp], RFLAGS_TF
    popfq
.next:
    dec rdi
    jnz .next
    pushfq
    and qword [rsp], ~RFLAGS_TF
    popfq
    ret

speed_trap:
    iretq

section .note.GNU-stack noalloc noexec nowrite progbits
