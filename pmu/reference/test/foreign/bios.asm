; A call of the BIOS from flat 32-bit code, for bios.c: there and back through real-address mode, in a copy at PLACE.

PLACE           equ 0x8000
STACK           equ 0x7000
CR0_PE          equ 1
CODE32          equ 8
DATA32          equ 16
CODE16          equ 24
DATA16          equ 32
REGISTERS       equ 8 * 4               ; as PUSHA has them

%define AT(label) (PLACE + (label - bios_code))

section .text
bits 32
; void bios_call(void): INT 15H with the registers at bios_registers of the copy, which become what it returned.
global bios_call
bios_call:
    pusha
    mov [AT(wide_stack)], esp
    sgdt [AT(gdt_before)]
    sidt [AT(idt_before)]
    lgdt [AT(gdt_pointer)]
    lidt [AT(idt_real)]
    jmp CODE16:AT(narrow)
.back:
    mov ax, DATA32
    mov ds, ax
    mov es, ax
    mov ss, ax
    mov esp, [AT(wide_stack)]
    lidt [AT(idt_before)]
    lgdt [AT(gdt_before)]
    popa
    ret

global bios_code, bios_code_end, bios_registers, bios_flags
bits 16
bios_code:
narrow:
    mov ax, DATA16
    mov ds, ax
    mov es, ax
    mov ss, ax
    mov eax, cr0
    and al, ~CR0_PE
    mov cr0, eax
    jmp 0:AT(.real)
.real:
    xor ax, ax
    mov ds, ax
    mov es, ax
    mov ss, ax
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
    mov eax, cr0
    or al, CR0_PE
    mov cr0, eax
    jmp dword CODE32:bios_call.back

align 4
bios_registers: times 8 dd 0
bios_flags: dd 0
wide_stack: dd 0
stack_after: dd 0
idt_before: dw 0
    dd 0
gdt_before: dw 0
    dd 0
idt_real: dw 0x3ff
    dd 0
gdt_pointer: dw gdt_end - gdt - 1
    dd AT(gdt)
align 8
gdt:
    dq 0
    dq 0x00cf9b000000ffff
    dq 0x00cf93000000ffff
    dq 0x00009b000000ffff
    dq 0x000093000000ffff
gdt_end:
bios_code_end:

section .note.GNU-stack noalloc noexec nowrite progbits
