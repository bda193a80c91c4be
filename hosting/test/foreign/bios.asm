; SPDX-License-Identifier: BSD-2-Clause
; A call of the BIOS from flat 32-bit code, for bios.c: there and back through real-address mode.

%include "hosting/test/foreign/narrow.inc"

REGISTERS       equ 8 * 4               ; as PUSHA has them

section .text
bits 32
; void bios_call(void): INT 15H with the registers at bios_registers of the copy, which become what it returned.
global bios_call
bios_call:
    CALL_NARROW narrow

global bios_registers, bios_flags
bits 16
narrow_code:
narrow:
    LOAD_SEGMENTS DATA16
    ENTER_REAL
    mov esp, AT(bios_registers)
    popad
    mov esp, STACK
    int 0x15
    pushfd
    mov [AT(stack_after)], esp
    mov esp, AT(bios_registers) + REGISTERS
    pushad
    mov esp, [AT(stack_after)]
    pop dword [AT(bios_flags)]
    cli
    xor ax, ax
    mov ds, ax
    LEAVE_REAL
    jmp dword CODE32:bios_call.back

align 4
bios_registers: times 8 dd 0
bios_flags: dd 0
stack_after: dd 0
idt_real: dw 0x3ff
    dd 0
    NARROW_DATA
narrow_code_end:

section .note.GNU-stack noalloc noexec nowrite progbits
