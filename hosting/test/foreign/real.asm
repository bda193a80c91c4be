; SPDX-License-Identifier: BSD-2-Clause
; 16-bit code with known numbers of instructions, for real.c: in real-address mode and in a 16-bit code segment of protected
; mode, entered from flat 32-bit code.

%include "hosting/test/foreign/narrow.inc"

GLOBAL_CTRL     equ 0x38f
VECTOR_TAKEN    equ 0x60

; One instruction that retires once; the assembler counts them.
%assign retired 0
%macro COUNT 1+
    %assign retired retired + 1
    %1
%endmacro

section .text
bits 32
; void real_run(uint32_t which, uint32_t protected): body number `which`, counted from its first instruction to its last.
global real_run
real_run:
    mov eax, [esp + 4]
    mov edx, [esp + 8]
    mov [AT(which)], eax
    CALL_NARROW narrow

; A call of real-address mode and back, with the counters unchanged: void real_walk(void). real_stay() is its RET alone.
global real_walk, real_stay
%assign retired 0
real_walk:
    COUNT sgdt [AT(gdt_before)]
    COUNT sidt [AT(idt_before)]
    COUNT mov [AT(wide_stack)], esp
    COUNT lgdt [AT(gdt_pointer)]
    COUNT jmp CODE16:AT(walk)
.back:
    COUNT mov ax, DATA32
    COUNT mov ds, ax
    COUNT mov es, ax
    COUNT mov ss, ax
    COUNT mov esp, [AT(wide_stack)]     ; no trap of its own for the one before
    COUNT lidt [AT(idt_before)]
    COUNT lgdt [AT(gdt_before)]
real_stay:
    ret

global real_retires
bits 16
narrow_code:
narrow:
    LOAD_SEGMENTS DATA16
    mov esp, STACK
    test edx, edx
    jnz .begin
    ENTER_REAL
.begin:
    push dx
    mov bx, [AT(which)]
    add bx, bx
    mov bx, [bx + AT(bodies)]
    mov ecx, GLOBAL_CTRL
    xor edx, edx
    mov eax, 1
    wrmsr
    jmp bx
finish:
    mov ecx, GLOBAL_CTRL
    xor edx, edx
    xor eax, eax
    wrmsr
    cli
    pop dx
    test dx, dx
    jnz .protected
    LEAVE_REAL
.protected:
    jmp dword CODE32:real_run.back

bits 16
walk:
    COUNT mov ax, DATA16
    COUNT mov ss, ax
    COUNT mov esp, STACK
    COUNT lidt [cs:AT(idt_real)]
    COUNT mov eax, cr0
    COUNT and al, ~CR0_PE
    COUNT mov cr0, eax
    COUNT jmp far [cs:AT(real_entry)]
.real:                                  ; at any address
    COUNT mov ecx, cr4                  ; as code that starts other CPUs does
    COUNT mov cr4, ecx
    COUNT or al, CR0_PE
    COUNT mov cr0, eax
    COUNT jmp dword CODE32:real_walk.back
WALK_RETIRES equ retired

; ---- Bodies. real_retires has the number of instructions that each retires.

nothing:
    jmp finish

%assign retired 0
plain:
    COUNT mov cx, 1000
.next:                                  ; each turn retires 3
    nop
    dec cx
    jnz .next
    %assign retired retired + 3000
    COUNT mov cx, 500
.again:                                 ; each turn retires 1
    loop .again
    %assign retired retired + 500
PLAIN_RETIRES equ retired
    jmp finish

; Instructions that a trap would miss or count twice, or that would show TF.
%assign retired 0
mixed:
    COUNT mov ax, ss
    COUNT mov ss, ax                    ; no trap of its own
    COUNT nop
    COUNT sti
    COUNT nop
    COUNT cli
    COUNT pushf
    COUNT pop ax
    COUNT test ah, 1                    ; our TF, not the guest's
    COUNT jnz near .wrong
    COUNT push ax
    COUNT popf
    COUNT push ss
    COUNT pop ss
    COUNT nop
    COUNT mov di, AT(scratch)
    COUNT mov cx, 20
    COUNT cld
    COUNT rep stosb
    COUNT xor eax, eax
    COUNT xor cx, cx
    COUNT cpuid
    COUNT mov [AT(word_of_ss)], ss
    COUNT mov ss, [AT(word_of_ss)]
    COUNT nop
    COUNT o32 nop
    COUNT call near .called
    %assign retired retired + 1         ; its RET
    COUNT jz near .over
.over:
MIXED_RETIRES equ retired
    jmp finish
.called:
    ret
.wrong:
    ud2

; Only in real-address mode: interrupts by its table.
%assign retired 0
interrupts:
    COUNT int VECTOR_TAKEN
    %assign retired retired + 2         ; its handler
    COUNT sti
    COUNT nop                           ; behind which the pending one comes
    %assign retired retired + 2
    COUNT nop
    COUNT cli
    COUNT jmp 0:AT(.far)
.far:
    COUNT call 0:AT(far_called)
    %assign retired retired + 1
INTERRUPTS_RETIRE equ retired
    jmp finish
far_called:
    retf

taken:
    inc word [AT(real_taken)]
    iret
waiting:
    inc word [AT(real_waited)]
    iret

align 4
bodies: dw AT(nothing), AT(plain), AT(mixed), AT(interrupts)
which:  dd 0
idt_real: dw table_end - table - 1
    dd AT(table)
word_of_ss: dw 0
real_entry: dw AT(walk.real), 0         ; the segment may be another one
global real_taken, real_waited, real_entry
align 4
real_taken: dd 0
real_waited: dd 0
scratch: times 32 db 0
align 4
table:
    times VECTOR_TAKEN dd 0
    dw AT(taken), 0, AT(waiting), 0
table_end:
    NARROW_DATA
narrow_code_end:

section .rodata
real_retires: dd 0, PLAIN_RETIRES, MIXED_RETIRES, INTERRUPTS_RETIRE, WALK_RETIRES

section .note.GNU-stack noalloc noexec nowrite progbits
