; SPDX-License-Identifier: BSD-2-Clause
; A program at CPL 0 that measures itself with the PMU, as a kernel would, and stores its findings at `results`, which
; hosting/test/unicorn/emulator.c prints. Flat, 64 bits; ends with HLT.

bits 64
org 0x1000

MSR_PMC0            equ 0x0c1
MSR_EVTSEL0         equ 0x186
MSR_GLOBAL_STATUS   equ 0x38e
MSR_GLOBAL_CTRL     equ 0x38f
MSR_STATUS_RESET    equ 0x390
MSR_A_PMC0          equ 0x4c1
APIC_LVTPC          equ 0xfee00340
VECTOR              equ 0x60
INSTRUCTIONS        equ 0x4200c0        ; enabled, in rings 0
BRANCHES            equ 0x4200c4
INTERRUPT           equ 1 << 20
PERIOD              equ 500

%macro WRITE_MSR 2                      ; register, value of at most 32 bits
    mov ecx, %1
    mov eax, %2
    xor edx, edx
    wrmsr
%endmacro

; Counts the event over a loop of three instructions a turn, one of them a branch, and over the four instructions after
; it, of which the last is the WRMSR that stops the counter. Stores the value that RDPMC reads at [rdi].
%macro COUNT 2                          ; event, turns
    WRITE_MSR MSR_GLOBAL_CTRL, 0
    WRITE_MSR MSR_PMC0, 0
    WRITE_MSR MSR_EVTSEL0, %1
    mov r8d, %2
    WRITE_MSR MSR_GLOBAL_CTRL, 1
%%turn:
    nop
    dec r8d
    jnz %%turn
    WRITE_MSR MSR_GLOBAL_CTRL, 0
    xor ecx, ecx
    rdpmc
    mov [rdi], eax
    mov [rdi + 4], edx
    add rdi, 8
%endmacro

start:
    mov rdi, results
    mov eax, 0x0a
    xor ecx, ecx
    cpuid
    mov [rdi], rax
    add rdi, 8
    COUNT INSTRUCTIONS, 10
    COUNT INSTRUCTIONS, 1000
    COUNT BRANCHES, 1000

    ; 10 PMIs, one every 500 instructions.
    lidt [idt_pointer]
    mov rbx, APIC_LVTPC
    mov dword [rbx], VECTOR
    xor r9d, r9d                        ; PMIs so far
    WRITE_MSR MSR_GLOBAL_CTRL, 0
    mov ecx, MSR_A_PMC0
    mov rax, 0x1000000000000 - PERIOD
    mov rdx, rax
    shr rdx, 32
    wrmsr
    WRITE_MSR MSR_EVTSEL0, INSTRUCTIONS | INTERRUPT
    sti
    WRITE_MSR MSR_GLOBAL_CTRL, 1
    mov r8d, 100000
.turn:
    cmp r9d, 10
    je .enough
    dec r8d
    jnz .turn
.enough:
    cli
    WRITE_MSR MSR_GLOBAL_CTRL, 0
    mov [rdi], r9
    mov [rdi + 8], r10                  ; STATUS in the last handler
    mov [rdi + 16], r11                 ; LVTPC in the last handler
    hlt

; Stops the counter, reads STATUS and LVTPC, sets the period again, acknowledges, unmasks the entry, starts the counter.
handler:
    push rax
    push rcx
    push rdx
    WRITE_MSR MSR_GLOBAL_CTRL, 0
    inc r9d
    mov ecx, MSR_GLOBAL_STATUS
    rdmsr
    shl rdx, 32
    or rax, rdx
    mov r10, rax
    mov r11d, [rbx]
    mov ecx, MSR_A_PMC0
    mov rax, 0x1000000000000 - PERIOD
    mov rdx, rax
    shr rdx, 32
    wrmsr
    WRITE_MSR MSR_STATUS_RESET, 1
    mov dword [rbx], VECTOR
    WRITE_MSR MSR_GLOBAL_CTRL, 1
    pop rdx
    pop rcx
    pop rax
    iretq

align 16
idt:
    times VECTOR dq 0, 0
    dw handler_low, 8, 0x8e00, 0
    dd 0, 0
idt_pointer:
    dw idt_pointer - idt - 1
    dq idt
handler_low equ (handler - $$) + 0x1000

align 8
results: times 8 dq 0
