; 16-bit code with known numbers of instructions, for real.c: in real-address mode and in a 16-bit code segment of protected
; mode. All of it lies in one copy at PLACE, where real-address mode reaches it, and is entered from flat 32-bit code.

PLACE           equ 0x8000
STACK           equ 0x7000
CR0_PE          equ 1
GLOBAL_CTRL     equ 0x38f
VECTOR_TAKEN    equ 0x60
CODE32          equ 8
DATA32          equ 16
CODE16          equ 24
DATA16          equ 32

%define AT(label) (PLACE + (label - real_code))

; One instruction that retires once, whose number the assembler keeps.
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
    pusha
    mov eax, [esp + 36]
    mov edx, [esp + 40]
    mov [AT(which)], eax
    mov [AT(wide_stack)], esp
    sgdt [AT(gdt_before)]
    sidt [AT(idt_before)]
    lgdt [AT(gdt_pointer)]
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

; There and back with the counters as they are: void real_walk(void). real_stay() is its RET alone.
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

global real_code, real_code_end, real_retires
bits 16
real_code:
narrow:
    mov ax, DATA16
    mov ds, ax
    mov es, ax
    mov ss, ax
    mov esp, STACK
    test edx, edx
    jnz .begin
    lidt [AT(idt_real)]
    mov eax, cr0
    and al, ~CR0_PE
    mov cr0, eax
    jmp 0:AT(.real)
.real:
    xor ax, ax
    mov ds, ax
    mov es, ax
    mov ss, ax
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
    mov eax, cr0
    or al, CR0_PE
    mov cr0, eax
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
.real:                                  ; wherever it is
    COUNT mov ecx, cr4                  ; as what starts other CPUs does
    COUNT mov cr4, ecx
    COUNT or al, CR0_PE
    COUNT mov cr0, eax
    COUNT jmp dword CODE32:real_walk.back
WALK_RETIRES equ retired

; ---- Bodies. How many instructions each retires stands in real_retires.

nothing:
    jmp finish

%assign retired 0
plain:
    COUNT mov cx, 1000
.next:                                  ; 3 for each turn
    nop
    dec cx
    jnz .next
    %assign retired retired + 3000
    COUNT mov cx, 500
.again:                                 ; 1 for each turn
    loop .again
    %assign retired retired + 500
PLAIN_RETIRES equ retired
    jmp finish

; What a trap would miss or double, or be seen in.
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
    COUNT test ah, 1                    ; TF, which is not the guest's
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

; Real-address mode alone: interrupts by its table.
%assign retired 0
interrupts:
    COUNT int VECTOR_TAKEN
    %assign retired retired + 2         ; its handler
    COUNT sti
    COUNT nop                           ; behind which the one that waits comes
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
wide_stack: dd 0
idt_before: dw 0
    dd 0
gdt_before: dw 0
    dd 0
idt_real: dw table_end - table - 1
    dd AT(table)
gdt_pointer: dw gdt_end - gdt - 1
    dd AT(gdt)
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
align 8
gdt:
    dq 0
    dq 0x00cf9b000000ffff
    dq 0x00cf93000000ffff
    dq 0x00009b000000ffff
    dq 0x000093000000ffff
gdt_end:
real_code_end:

section .rodata
real_retires: dd 0, PLAIN_RETIRES, MIXED_RETIRES, INTERRUPTS_RETIRE, WALK_RETIRES

section .note.GNU-stack noalloc noexec nowrite progbits
