; SPDX-License-Identifier: BSD-2-Clause
; A small kernel to be hosted: boot header, the way into C, interrupt entries, the counted loop. Built for 32 bits with
; a multiboot2 header and for 64 bits with a multiboot header (BITS64). count.c has the checks.

MAGIC1          equ 0x1badb002
MAGIC2          equ 0xe85250d6
EFER            equ 0xc0000080
EFER_LME        equ 1 << 8
CR0_PG          equ 1 << 31
CR4_PAE         equ 1 << 5
LARGE_PAGE      equ 0x83                ; present, writable, 2 MiB
CODE            equ 8
DATA            equ 16
CODE32          equ 24
AP_STACKS       equ 16
STACK_SIZE      equ 16384

%macro FLAT_DATA 0
    mov ax, DATA
    mov ds, ax
    mov es, ax
    mov ss, ax
%endmacro

; When the tables are filled: all segments are flat.
%macro ENTER_LONG_MODE 0
    mov eax, cr4
    or eax, CR4_PAE
    mov cr4, eax
    mov eax, pml4
    mov cr3, eax
    mov ecx, EFER
    rdmsr
    or eax, EFER_LME
    wrmsr
    mov eax, cr0
    or eax, CR0_PG
    mov cr0, eax
    jmp CODE:%%wide
bits 64
%%wide:
    FLAT_DATA
%endmacro

section .header
%ifdef BITS64
align 4
    dd MAGIC1, 3, -(MAGIC1 + 3)         ; modules on pages, memory information
%else
align 8
header:
    dd MAGIC2, 0, header_end - header, -(MAGIC2 + header_end - header)
    dw 1, 0                             ; information request: memory map and basic memory
    dd 16, 4, 6
    dw 0, 0
    dd 8
header_end:
%endif

section .bss
align 4096
%ifdef BITS64
pml4:   resb 4096
pdpt:   resb 4096
pd:     resb 4 * 4096
%endif
stack:  resb STACK_SIZE
stack_top:
ap_stacks: resb AP_STACKS * STACK_SIZE
global ap_begin
ap_begin: resq 1                        ; the C function of each other CPU; 0: none is started
ap_ticket: resd 1

section .text
bits 32
global entry
extern kernel_main, kernel_interrupt
entry:
    cli
    cld
    mov esp, stack_top
    mov esi, eax                        ; the loader's magic
    mov edi, ebx                        ; its information
    lgdt [gdt_pointer]
%ifndef BITS64
    jmp CODE:.flat
.flat:
    FLAT_DATA
    push edi
    push esi
    call kernel_main
%else
    mov eax, pdpt + 3
    mov [pml4], eax
    mov eax, pd + 3
    mov ebx, pdpt
    mov ecx, 4
.next_table:
    mov [ebx], eax
    add ebx, 8
    add eax, 4096
    loop .next_table
    mov eax, LARGE_PAGE
    mov ebx, pd
    mov ecx, 4 * 512
.next_page:
    mov [ebx], eax
    add ebx, 8
    add eax, 2 << 20
    loop .next_page
    ENTER_LONG_MODE
    mov rsp, stack_top
    xchg edi, esi
    call kernel_main
%endif
.stop:
    cli
    hlt
    jmp .stop

; Where another CPU begins, in a copy of this below 1 MiB. It takes the next stack; a CPU that is started again takes
; another one, as long as there are some.
global ap_trampoline, ap_trampoline_end
bits 16
ap_trampoline:
    cli
    o32 lgdt [cs:ap_gdt_pointer - ap_trampoline]
    mov eax, cr0
    or eax, 1
    mov cr0, eax
    jmp dword CODE32:ap_flat
align 4
ap_gdt_pointer:
    dw gdt_end - gdt - 1
    dd gdt
ap_trampoline_end:

bits 32
ap_flat:
    FLAT_DATA
    mov eax, 1
    lock xadd [ap_ticket], eax
    cmp eax, AP_STACKS
    jae .stop
    imul eax, eax, STACK_SIZE
    lea esp, [eax + ap_stacks + STACK_SIZE]
%ifdef BITS64
    ENTER_LONG_MODE
%endif
    call [ap_begin]
.stop:
    cli
    hlt
    jmp .stop
%ifdef BITS64
bits 64
%else
bits 32
%endif

; Unmaps everything from the second GiB on, except the local APIC: it is no longer in this address space.
%ifdef BITS64
global forget_high_memory
KEPT_PAGES equ 32                       ; of 2 MiB
forget_high_memory:
    mov ecx, KEPT_PAGES
.next:
    cmp ecx, 0xfee00000 >> 21
    je .skip
    mov qword [pd + rcx * 8], 0
.skip:
    inc ecx
    cmp ecx, 4 * 512
    jb .next
    mov rax, cr3
    mov cr3, rax
    ret
%endif

; Unmaps the 2 MiB page at RDI.
%ifdef BITS64
global forget_page
forget_page:
    mov rax, rdi
    shr rax, 21
    mov qword [pd + rax * 8], 0
    invlpg [rdi]
    ret
%endif

; The counted loop. It retires 3 k + 2 instructions, k + 1 of them branches.
%ifdef BITS64
%define COUNT rdi
%define PLACE rdx
%else
%define COUNT ecx
%define PLACE edx
%endif
global counted, counted_end
counted:
%ifndef BITS64
    mov ecx, [esp + 4]
%else
    nop
%endif
.next:
    nop
    dec COUNT
    jnz .next
    ret
counted_end:

; A loop that stores into the local APIC's page, to the mask of its LINT0 entry. It retires 3 k + 3 instructions.
APIC_LVT_LINT0 equ 0xfee00350
LVT_MASK equ 0x10000
global counted_stores
counted_stores:
%ifndef BITS64
    mov ecx, [esp + 4]
    mov edx, APIC_LVT_LINT0
%else
    mov edx, APIC_LVT_LINT0
    nop
%endif
.next:
    mov dword [PLACE], LVT_MASK
    dec COUNT
    jnz .next
    ret

; A loop that pushes and pops. It retires 4 k + 2 instructions.
%ifdef BITS64
global counted_stack
counted_stack:
    nop
.next:
    push rdi
    pop rax
    dec rdi
    jnz .next
    ret
%endif

; Entries of interrupts: kernel_interrupt(vector, address of the return address).
%macro ENTRY 1
    align 16
    %if %1 == 8 || (%1 >= 10 && %1 <= 14) || %1 == 17
        %define RETURN 1                ; above the error code
    %else
        %define RETURN 0
    %endif
%ifdef BITS64
    push rax
    push rcx
    push rdx
    push rsi
    push rdi
    push r8
    push r9
    push r10
    push r11
    mov edi, %1
    lea rsi, [rsp + (9 + RETURN) * 8]
    cld
    call kernel_interrupt
    pop r11
    pop r10
    pop r9
    pop r8
    pop rdi
    pop rsi
    pop rdx
    pop rcx
    pop rax
    add rsp, RETURN * 8
    iretq
%else
    pusha
    lea eax, [esp + (8 + RETURN) * 4]
    push eax
    push dword %1
    cld
    call kernel_interrupt
    add esp, 8
    popa
    lea esp, [esp + RETURN * 4]
    iret
%endif
%endmacro

ENTRIES equ 0x41                        ; vectors
ENTRY_SIZE equ 64
global interrupt_entries
align 64
interrupt_entries:
%assign vector 0
%rep ENTRIES
    ENTRY vector
    align ENTRY_SIZE
    %assign vector vector + 1
%endrep

section .rodata
align 8
gdt:
    dq 0
%ifdef BITS64
    dq 0x00af9b000000ffff
%else
    dq 0x00cf9b000000ffff
%endif
    dq 0x00cf93000000ffff
    dq 0x00cf9b000000ffff
gdt_end:
gdt_pointer:
    dw gdt_end - gdt - 1
    dd gdt, 0

section .note.GNU-stack noalloc noexec nowrite progbits
