; SPDX-License-Identifier: BSD-2-Clause
; From long mode, running identity-mapped below 4 GiB, back to the state in which loaders start an image: 32 bits, flat,
; no paging. Multiboot2 Specification, "I386 machine state"; SDM 3A, "Switching Out of IA-32e Mode Operation".

%include "cpu.inc"

FLAT_CODE       equ 0x08
FLAT_DATA       equ 0x10

; restart(entry, information, loader's magic number)
section .text
bits 64
default rel
global restart
restart:
    mov ecx, edi
    mov ebx, esi
    mov ebp, edx
    lgdt [flat_pointer]
    push FLAT_CODE
    lea rax, [.flat]
    push rax
    o64 retf
bits 32
.flat:
    mov eax, FLAT_DATA
    mov ds, eax
    mov es, eax
    mov ss, eax
    mov eax, cr0
    and eax, ~CR0_PG
    mov cr0, eax
    mov eax, ebp
    jmp ecx

section .rodata
align 8
flat_gdt:
    dq 0
    dq 0x00cf9b000000ffff               ; code, 32 bits
    dq 0x00cf93000000ffff               ; data
flat_pointer:
    dw flat_pointer - flat_gdt - 1
    dq flat_gdt

section .note.GNU-stack noalloc noexec nowrite progbits
