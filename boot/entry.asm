; SPDX-License-Identifier: BSD-2-Clause
; From the 32-bit hand-over of a multiboot2 loader (GRUB) or a PVH loader (QEMU's -kernel and others) to long mode and
; start(): Multiboot2 header, PVH note, first page tables, first stack. Multiboot2 specification, "OS image format" and
; "I386 machine state"; Xen, "x86/HVM direct boot ABI".

%include "cpu.inc"

MULTIBOOT2_MAGIC    equ 0xe85250d6
PVH_MAGIC           equ 0x336ec578      ; of PVH's start information; marks a PVH start
NOTE_PHYS32_ENTRY   equ 18              ; XEN_ELFNOTE_PHYS32_ENTRY
BOOT_LOW_SIZE       equ 2 * 4096
PAGE_PRESENT        equ 1 << 0
PAGE_WRITE          equ 1 << 1
PAGE_LARGE          equ 1 << 7
NO_EXECUTE          equ 1 << 31         ; in the high half of a page table entry
CPUID_1_EDX_NEEDED  equ 3 << 25 | 1 << 19  ; SSE and SSE2 (for LFENCE), and CLFLUSH

section .multiboot
align 8
header:
    dd MULTIBOOT2_MAGIC
    dd 0                                ; i386 protected mode
    dd header_end - header
    dd -(MULTIBOOT2_MAGIC + header_end - header)
    ; Asks for the memory map and the two RSDP copies, all optional: the image runs without any of them.
    dw 1, 1                             ; information request, optional
    dd 20
    dd 6, 14, 15
    dd 0                                ; padding to 8 bytes
    ; No framebuffer tag: on BIOS the screen then stays in text mode; UEFI has a framebuffer anyway.
    dw 0, 0
    dd 8
header_end:

; PVH loaders find the entry point here. Name and descriptor are each padded to a multiple of four bytes.
section .note.Xen note alloc noexec nowrite align=4
    dd pvh_name_end - pvh_name
    dd 8                                ; size of the address: that of a pointer in this ELF class
    dd NOTE_PHYS32_ENTRY
pvh_name:
    db "Xen", 0
pvh_name_end:
    dq pvh_entry

section .entry progbits alloc exec nowrite align=16
bits 32
global entry, pvh_entry
extern start, gdt_pointer, image_start, data_start

; EBX: the start information. DS and ES are flat; PVH promises nothing about SS and EAX.
pvh_entry:
    mov ax, ds
    mov ss, ax
    mov eax, PVH_MAGIC

; EAX: the loader's magic number, EBX: its information.
entry:
    cli
    cld
    mov esp, boot_stack_top
    mov ebp, eax                        ; the loader's magic number
    cmp eax, PVH_MAGIC
    jne .loaded
    xor esi, esi                        ; PVH's information may lie in page 0, which our page tables do not map
    mov edi, boot_low
    mov ecx, BOOT_LOW_SIZE / 4
    rep movsd
.loaded:
    mov esi, ebx                        ; the loader's information
    mov eax, 0x80000000
    cpuid
    cmp eax, 0x80000001
    jb no_long_mode
    mov eax, 0x80000001
    cpuid
    bt edx, 29                          ; LM
    jnc no_long_mode
    and edx, 1 << 20                    ; NX
    shl edx, 31 - 20
    push edx                            ; NO_EXECUTE, if the CPU has it
    mov eax, 1
    cpuid
    not edx
    test edx, CPUID_1_EDX_NEEDED
    jnz no_instructions
    call keep_found
    mov ebx, [esp]
    call build_page_tables
    ; Set anew: if firmware left five-level paging on, keeping that bit with our four levels would reset the machine.
    mov eax, CR4_PAE
    mov cr4, eax
    mov eax, boot_pml4
    mov cr3, eax
    mov ecx, MSR_EFER
    xor edx, edx
    mov eax, EFER_LME
    pop ebx
    test ebx, ebx
    jz .efer
    or eax, EFER_NXE
.efer:
    wrmsr
    mov eax, CR0_IMAGE
    mov cr0, eax
    lgdt [gdt_pointer]
    jmp SELECTOR_CODE:entry64

; Stores how the loader left the CPU, for the log. A moved copy of the image (kernel/core/image.h) already has it.
keep_found:
    cmp dword [boot_found], 0           ; CR0.PE is always set
    jne .known
    mov eax, cr0
    mov [boot_found], eax
    mov eax, cr4
    mov [boot_found + 4], eax
    mov ecx, MSR_EFER
    rdmsr
    mov [boot_found + 8], eax
.known:
    ret

; Identity map of the first 4 GiB: enough until kernel/core/memory.c builds the real tables. Code and constants are
; executable and read-only, everything else is writable and not executable. Page 0 is not mapped, so that a stray jump
; or access faults from the beginning. EBX: NO_EXECUTE, or 0 on a CPU without it.
build_page_tables:
    mov eax, boot_pdpt + (PAGE_PRESENT | PAGE_WRITE)
    mov [boot_pml4], eax
    mov eax, boot_pd + (PAGE_PRESENT | PAGE_WRITE)
    mov edi, boot_pdpt
    mov ecx, 4
.pdpt:
    mov [edi], eax
    add eax, 4096
    add edi, 8
    loop .pdpt
    xor eax, eax
    mov edi, boot_pd
    mov ecx, 4 * 512
.pd:
    mov edx, PAGE_LARGE
    call add_entry
    add eax, 2 << 20
    loop .pd
    mov eax, 4096
    mov edi, boot_pt + 8                ; small pages: the first 2 MiB hold the image's beginning and other memory
    mov ecx, 511
.pt:
    xor edx, edx
    call add_entry
    add eax, 4096
    loop .pt
    mov dword [boot_pd], boot_pt + (PAGE_PRESENT | PAGE_WRITE)
    mov dword [boot_pd + 4], 0
    ret

; Adds the entry for the page at EAX to the table at EDI, which it advances. EDX: PAGE_LARGE or 0. A large page that
; holds code holds nothing else, except the first one, which is split into small pages.
add_entry:
    or edx, PAGE_PRESENT
    push edx
    mov edx, image_start
    test dword [esp], PAGE_LARGE
    jz .from
    and edx, -(2 << 20)
.from:
    cmp eax, edx
    pop edx
    jb .data
    cmp eax, data_start
    jae .data
    mov dword [edi + 4], 0
    jmp .low
.data:
    or edx, PAGE_WRITE
    mov [edi + 4], ebx
.low:
    or edx, eax
    mov [edi], edx
    add edi, 8
    ret

; The CPU cannot run this image: writes why to the text screen and, as a complete log, to COM1; then stops.
no_instructions:
    mov esi, no_instructions_text
    jmp tell
no_long_mode:
    mov esi, no_long_mode_text
tell:
    mov edi, 0xb8000
    xor ebx, ebx                        ; does the text go to the screen too?
.next:
    lodsb
    test al, al
    jz .stop
    cmp al, SCREEN_TOGGLE
    jne .show
    xor ebx, 1
    jmp .next
.show:
    mov ah, 0x4f
    test ebx, ebx
    jz .serial
    stosw
.serial:
    mov ah, al
    mov dx, 0x3f8 + 5
    mov ecx, 1 << 16                    ; there may be no serial port
.busy:
    in al, dx
    test al, 1 << 5
    loopz .busy
    mov al, ah
    mov dx, 0x3f8
    out dx, al
    jmp .next
.stop:
    hlt
    jmp .stop

SCREEN_TOGGLE equ 1                     ; the text between two of these goes to the screen too

; Continues the CRC-32 in `crc` with the text.
%macro SUM_UP 1
    %strlen %%length %1
    %assign %%at 1
    %rep %%length
        %substr %%one %1 %%at
        %assign crc crc ^ %%one
        %rep 8
            %assign crc (crc >> 1) ^ (0xedb88320 * (crc & 1))
        %endrep
        %assign %%at %%at + 1
    %endrep
%endmacro
%macro SUM_UP_LINE_END 0
    %assign crc crc ^ 10
    %rep 8
        %assign crc (crc >> 1) ^ (0xedb88320 * (crc & 1))
    %endrep
%endmacro

; A complete log that holds only the reason. Arguments: name, reason. The END line's CRC covers all text before it.
%macro REFUSAL 2
    %define %%reason %2
    %define %%end "# end verdict=error pass=0 fail=0 known=0 review=0 skip=0 error=1 crc32="
    %assign crc 0xffffffff
    SUM_UP "KTAP version 1"
    SUM_UP_LINE_END
    SUM_UP "1..0"
    SUM_UP_LINE_END
    SUM_UP "Bail out! "
    SUM_UP %%reason
    SUM_UP_LINE_END
    SUM_UP %%end
    %assign crc crc ^ 0xffffffff
%1: db 13, 10, "KTAP version 1", 13, 10, "1..0", 13, 10, "Bail out! ", SCREEN_TOGGLE, %%reason, SCREEN_TOGGLE, 13, 10
    db %%end
    %assign %%shift 28
    %rep 8
        %assign %%digit (crc >> %%shift) & 15
        db %%digit + '0' + 39 * (%%digit / 10)
        %assign %%shift %%shift - 4
    %endrep
    db 13, 10, 0
%endmacro

section .rodata
REFUSAL no_long_mode_text, "pmucheck: this CPU has no 64-bit mode; pmucheck needs one."
REFUSAL no_instructions_text, "pmucheck: this CPU has no SSE2 (LFENCE) or no CLFLUSH; pmucheck needs both."

section .entry

bits 64
entry64:
    mov ax, SELECTOR_DATA
    mov ds, ax
    mov es, ax
    mov ss, ax
    xor eax, eax
    mov fs, ax
    mov gs, ax
    mov rsp, boot_stack_top
    mov edi, ebp                        ; kind of loader: BOOT_MULTIBOOT2, BOOT_PVH, or unknown
    mov esi, esi
    xor ebp, ebp                        ; end of the frame chain
    call start
.stop:
    cli
    hlt
    jmp .stop

section .bss
align 4096
global boot_pml4
boot_pml4:  resb 4096
boot_pdpt:  resb 4096
boot_pd:    resb 4 * 4096
boot_pt:    resb 4096
global boot_low
boot_low:   resb BOOT_LOW_SIZE          ; PVH start: the first two pages of memory as they were at entry
global boot_found
boot_found: resd 3                      ; struct boot_found
alignb 4096
global boot_stack_guard, boot_stack_top
boot_stack_guard: resb 4096             ; unmapped once there are real page tables
    resb 32 * 1024
boot_stack_top:

section .note.GNU-stack noalloc noexec nowrite progbits
