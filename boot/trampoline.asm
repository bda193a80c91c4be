; SPDX-License-Identifier: BSD-2-Clause
; Where an application processor begins: real mode, in a page below 1 MiB to which this code is copied. From there to
; long mode on the boot CPU's page tables, and to ap_start(). SDM 3A, "Multiple-Processor (MP) Initialization".


%include "cpu.inc"

%define at(label) ((label) - trampoline)

section .text                           ; runs from the copy only; in .text so that the build's check of code sees it
global trampoline, trampoline_cr3, trampoline_end
extern gdt_pointer

bits 16
align 16
trampoline:
    cli
    cld
    mov ax, cs                          ; the page's segment
    mov ds, ax
    movzx ebx, ax
    shl ebx, 4                          ; the page's linear address
    lea eax, [ebx + at(protected)]
    mov [at(far_protected)], eax
    lea eax, [ebx + at(small_gdt)]
    mov [at(small_gdt_pointer) + 2], eax
    o32 lgdt [at(small_gdt_pointer)]
    mov eax, cr0
    or eax, CR0_PE
    mov cr0, eax
    jmp far dword [at(far_protected)]

bits 32
protected:
    mov ax, 0x10
    mov ds, ax
    mov es, ax
    mov ss, ax
    mov eax, CR4_PAE
    mov cr4, eax
    mov eax, [ebx + at(trampoline_cr3)]
    mov cr3, eax
    mov eax, 0x80000001
    cpuid
    mov edi, edx                        ; bit 20: the CPU has no-execute pages
    mov ecx, MSR_EFER
    rdmsr
    or eax, EFER_LME
    bt edi, 20
    jnc .write
    or eax, EFER_NXE
.write:
    wrmsr
    mov eax, CR0_IMAGE
    mov cr0, eax
    lgdt [gdt_pointer]
    jmp SELECTOR_CODE:ap_entry64

align 8
far_protected:
    dd 0
    dw 0x08
align 8
small_gdt:
    dq 0
    dq 0x00cf9b000000ffff               ; 08: code, 32 bit, flat
    dq 0x00cf93000000ffff               ; 10: data, flat
small_gdt_pointer:
    dw small_gdt_pointer - small_gdt - 1
    dd 0
align 8
trampoline_cr3: dd 0                    ; physical address of the page tables, filled in the copy
trampoline_end:

section .text
bits 64
default rel
global ap_stacks
extern ap_start, first_idt_pointer
ap_entry64:
    mov ax, SELECTOR_DATA
    mov ds, ax
    mov es, ax
    mov ss, ax
    xor eax, eax
    mov fs, ax
    mov gs, ax
    mov edi, 1                          ; CPUs arrive in any order: each takes a ticket number, which selects its stack
    lock xadd [ap_ticket], edi
    cmp edi, [ap_limit]
    jae .stop
    mov rax, [ap_stacks]
    mov rsp, [rax + rdi * 8]
    xor ebp, ebp
    lidt [first_idt_pointer]            ; until the CPU knows its number: another CPU reports its faults
    call ap_start                       ; with its ticket
.stop:
    cli
    hlt
    jmp .stop

section .bss
alignb 8
ap_stacks:  resq 1                      ; array of stack tops, one per ticket
global ap_ticket, ap_limit
ap_ticket:  resd 1
ap_limit:   resd 1                      ; number of stacks

section .note.GNU-stack noalloc noexec nowrite progbits
