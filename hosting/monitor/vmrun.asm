; SPDX-License-Identifier: BSD-2-Clause
; Entering the guest and coming back. AMD64 Architecture Programmer's Manual 2, "VMRUN Instruction".

%include "boot/callee.inc"
%include "boot/stubs.inc"
%include "cpu.inc"

FRAME_SOFTWARE  equ 7 * 8               ; vector to ss, which PUSH_REGISTERS does not push
VCPU_VMCB       equ 0
VCPU_HOST_STACK equ 8
VCPU_IN_STUB    equ 16
VCPU_STUB_FRAME equ 24

bits 64
section .text
extern vcpu_fill_guest, monitor_exit, host_trap, shadow_trap
global monitor_enter, stepper_call, host_take_interrupts, host_take_nmi, host_halt, host_halt_awake
global host_stubs, shadow_stubs, shadow_stubs_end

; void monitor_enter(struct vcpu *v): returns as a guest.
monitor_enter:
    PUSH_CALLEE_SAVED
    pushfq
    mov rbx, rdi
    mov rsi, rsp                        ; the guest's RSP
    lea rdx, [rel .guest]               ; and RIP
    pushfq
    pop rcx
    cli
    call vcpu_fill_guest                ; (v, rsp, rip, rflags); leaves GIF clear
    mov rsp, [rbx + VCPU_HOST_STACK]
    push rbx
    mov rax, [rbx + VCPU_VMCB]
    vmrun
    jmp after_exit
.guest:
    popfq
    POP_CALLEE_SAVED
    ret

; The host's loop. [rsp] = vcpu. RAX, RSP, RIP and RFLAGS are in the VMCB, the other registers are the guest's.
after_exit:
    sub rsp, FRAME_SOFTWARE
    PUSH_REGISTERS
    mov rdi, [rsp + FRAME_SIZE]
    mov rsi, rsp
    cld
    call monitor_exit
    POP_REGISTERS
    add rsp, FRAME_SOFTWARE
    mov rax, [rsp]
    mov rax, [rax + VCPU_VMCB]
    vmrun
    jmp after_exit

; u64 stepper_call(enum monitor_call code, u64 argument)
stepper_call:
    mov eax, edi
    mov rdi, rsi
    vmmcall
    ret

host_take_interrupts:
    stgi
    sti
    nop
    nop
    cli
    clgi
    ret

host_take_nmi:
    stgi
    nop
    nop
    clgi
    ret

; void host_halt(bool interrupts)
host_halt:
    stgi
    test dil, dil
    jz .nmi_only
    sti
.nmi_only:
    hlt
host_halt_awake:
    cli
    clgi
    ret

; Gates of the host's own interrupt table: they call host_trap(frame).
align 16
host_stubs:
    STUB_TABLE enter_host
enter_host:
    PUSH_REGISTERS
    mov rdi, rsp
    cld
    call host_trap
    POP_REGISTERS
    add rsp, 16
    iretq

; Gates that run inside the guest while it is stepped: they call shadow_trap(v, frame). The CPU's vcpu is above the
; frame. Faults arrive on a stack of their own. A guest's fault moves to the stack of all other events, so that a fault
; in shadow_trap() finds that stack free. A machine check stays on its own stack: the others may be in use.
align 16
shadow_stubs:
    STUB_TABLE enter_shadow
enter_shadow:
    PUSH_REGISTERS
    cld
    mov rdi, [rsp + FRAME_SIZE]
    cmp qword [rdi + VCPU_IN_STUB], 0
    jne .in_place
    cmp qword [rsp + FRAME_VECTOR], VECTOR_MC
    je .in_place
    mov rdi, [rdi + VCPU_STUB_FRAME]
    cmp rdi, rsp
    je .in_place
    mov rsi, rsp
    mov rsp, rdi
    mov ecx, FRAME_SIZE / 8
    rep movsq
.in_place:
    mov rdi, [rsp + FRAME_SIZE]
    inc qword [rdi + VCPU_IN_STUB]      ; a fault of its own nests a second level
    mov rsi, rsp
    call shadow_trap
    mov rdi, [rsp + FRAME_SIZE]
    dec qword [rdi + VCPU_IN_STUB]
    POP_REGISTERS
    add rsp, 16
    iretq
shadow_stubs_end:

section .note.GNU-stack noalloc noexec nowrite progbits
