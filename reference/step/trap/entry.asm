; SPDX-License-Identifier: BSD-2-Clause
; Where events arrive: at the stepper's own gates, and at those of a CPU that sleeps.

%include "boot/stubs.inc"
%include "cpu.inc"
%include "reference/step/trap/vectors.inc"

STEPPED_INSIDE equ 0
STEPPED_FRAME  equ 8

bits 64
section .text
extern step_event, sleep_event
global stepper_call, step_stubs, step_stubs_end, sleep_stubs, sleep_halt, sleep_awake, sleep_let_in, tried_code

; u64 stepper_call(u32 code, u64 argument)
stepper_call:
    mov eax, edi
    mov rdi, rsi
    int VECTOR_CALL
    ret

; They call step_event(stepped, frame). The CPU's struct stepped is above the frame. Faults arrive on a stack of their
; own. The program's fault moves to the stack of all other events, so that a fault in step_event() finds that stack
; free; so does an NMI or a machine check, or it would lie where the next one arrives. One that comes inside stays.
align 16
step_stubs:
    STUB_TABLE step_enter
step_enter:
    PUSH_REGISTERS
    cld
    mov rdi, [rsp + FRAME_SIZE]
    cmp qword [rdi + STEPPED_INSIDE], 0
    jne .in_place
    cmp qword [rsp + FRAME_VECTOR], VECTOR_MC
    je .abrupt
    cmp qword [rsp + FRAME_VECTOR], VECTOR_NMI
    jne .move
.abrupt:
    mov rax, [rsp + FRAME_RIP]          ; on the way in or out?
    lea rcx, [rel step_stubs]
    cmp rax, rcx
    jb .move
    lea rcx, [rel step_stubs_end]
    cmp rax, rcx
    jb .in_place
.move:
    mov rdi, [rdi + STEPPED_FRAME]
    cmp rdi, rsp
    je .in_place
    mov rsi, rsp
    mov rsp, rdi
    mov ecx, FRAME_SIZE / 8
    rep movsq
.in_place:
    mov rdi, [rsp + FRAME_SIZE]
    inc qword [rdi + STEPPED_INSIDE]    ; a fault of its own nests a second level
    mov rsi, rsp
    call step_event
    mov rdi, [rsp + FRAME_SIZE]
    dec qword [rdi + STEPPED_INSIDE]
    POP_REGISTERS
    add rsp, 16
    iretq
step_stubs_end:

; The gates of a CPU that sleeps inside: they call sleep_event(frame).
align 16
sleep_stubs:
    STUB_TABLE enter_asleep
enter_asleep:
    PUSH_REGISTERS
    mov rdi, rsp
    cld
    call sleep_event
    POP_REGISTERS
    add rsp, 16
    iretq

; void sleep_let_in(void): an interrupt that waits arrives.
sleep_let_in:
    sti
    nop
    nop
    cli
    ret

; void sleep_halt(bool interrupts, const volatile bool *came): sleeps until an NMI or, if `interrupts`, an interrupt.
; sleep_event() continues at sleep_awake if an NMI comes before the HLT; one before this function has set *came.
sleep_halt:
    cmp byte [rsi], 0
    jne sleep_awake
    test dil, dil
    jz .nmi_only
    sti
.nmi_only:
    hlt
sleep_awake:
    cli
    ret

; void tried_code(void): sets TF, three NOPs, and three instructions to clear it; then INT3.
tried_code:
    pushfq
    or qword [rsp], RFLAGS_TF
    popfq
    nop
    nop
    nop
    pushfq
    and qword [rsp], ~RFLAGS_TF
    popfq
    int3
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
