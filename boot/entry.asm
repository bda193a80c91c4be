; From a loader's 32-bit hand-over to long mode and start(): multiboot2's, GRUB, or that of the PVH start, QEMU's -kernel and
; its like. Multiboot2 header, PVH note, first page tables, first stack. Multiboot2 specification, "OS image format" and
; "I386 machine state"; Xen, "x86/HVM direct boot ABI".

%include "cpu.inc"

MULTIBOOT2_MAGIC    equ 0xe85250d6
PVH_MAGIC           equ 0x336ec578      ; of the PVH start information: stands for that start
NOTE_PHYS32_ENTRY   equ 18              ; XEN_ELFNOTE_PHYS32_ENTRY
BOOT_LOW_SIZE       equ 2 * 4096
PAGE_PRESENT        equ 1 << 0
PAGE_WRITE          equ 1 << 1
PAGE_LARGE          equ 1 << 7
NO_EXECUTE          equ 1 << 31         ; in the high half of an entry
CPUID_1_EDX_NEEDED  equ 3 << 25 | 1 << 19  ; SSE and SSE2, for LFENCE, and CLFLUSH

section .multiboot
align 8
header:
    dd MULTIBOOT2_MAGIC
    dd 0                                ; i386 protected mode
    dd header_end - header
    dd -(MULTIBOOT2_MAGIC + header_end - header)
    ; Ask for the memory map and the two RSDP copies; none is required: each can be done without.
    dw 1, 1                             ; information request, optional
    dd 20
    dd 6, 14, 15
    dd 0                                ; padding to 8 bytes
    ; No framebuffer tag: on BIOS the screen then stays in text mode; UEFI has a framebuffer anyway.
    dw 0, 0
    dd 8
header_end:

; Loaders of the PVH start find their entry here. The name and the number are padded to four bytes each.
section .note.Xen note alloc noexec nowrite align=4
    dd pvh_name_end - pvh_name
    dd 8                                ; bytes of the address, as of a pointer of this ELF class
    dd NOTE_PHYS32_ENTRY
pvh_name:
    db "Xen", 0
pvh_name_end:
    dq pvh_entry

section .entry progbits alloc exec nowrite align=16
bits 32
global entry, pvh_entry
extern start, gdt_pointer, image_start, data_start

; EBX: the start information. DS and ES are flat; of SS and EAX nothing is promised.
pvh_entry:
    mov ax, ds
    mov ss, ax
    mov eax, PVH_MAGIC

; EAX: the loader's magic number, EBX: its information.
entry:
    cli
    cld
    mov esp, boot_stack_top
    mov ebp, eax                        ; loader's magic
    cmp eax, PVH_MAGIC
    jne .loaded
    xor esi, esi                        ; its information may lie in page 0, which the page tables leave out
    mov edi, boot_low
    mov ecx, BOOT_LOW_SIZE / 4
    rep movsd
.loaded:
    mov esi, ebx                        ; its information
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
    ; Set, not changed: with five levels of page tables that firmware left on, four would reset the machine.
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

; How the loader left the CPU, for the log. A copy of the image that was moved (kernel/core/move.h) has been given it.
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

; Identity map of the first 4 GiB: enough until kernel/core/memory.c builds the real tables. Code and constants can be
; executed and not written, everything else the other way round, and page 0 is left out, so that a jump or an access to
; nowhere faults from the beginning. EBX: NO_EXECUTE, or 0 on a CPU without it.
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
    mov edi, boot_pt + 8                ; the first 2 MiB hold the image's beginning and what is not the image
    mov ecx, 511
.pt:
    xor edx, edx
    call add_entry
    add eax, 4096
    loop .pt
    mov dword [boot_pd], boot_pt + (PAGE_PRESENT | PAGE_WRITE)
    mov dword [boot_pd + 4], 0
    ret

; Adds the entry of the page at EAX to the table at EDI, which moves on. EDX: its kind. A large page holds nothing else
; where it holds code, but for the first, which is made of small ones.
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

; A CPU that cannot run this image: say so on the text screen and COM1, where it is a log that ends, then stop.
no_instructions:
    mov esi, no_instructions_text
    jmp tell
no_long_mode:
    mov esi, no_long_mode_text
tell:
    mov edi, 0xb8000
    xor ebx, ebx                        ; on the screen, too?
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
    mov ecx, 1 << 16                    ; there may be none
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

SCREEN_TOGGLE equ 1                     ; what stands between two of them is for the screen, too

; Adds the text to `crc`, as CRC-32 goes.
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

; A whole log with nothing in it but the reason: name, reason. The END line's sum is of all text before it.
%macro REFUSAL 2
    %define %%reason %2
    %define %%end "# end verdict=error pass=0 fail=0 known=0 review=0 skip=0 error=0 crc32="
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
    mov edi, ebp                        ; who entered: BOOT_MULTIBOOT2, BOOT_PVH, or anybody
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
boot_low:   resb BOOT_LOW_SIZE          ; of the PVH start: memory's first two pages, as it was entered
global boot_found
boot_found: resd 3                      ; struct boot_found
alignb 4096
global boot_stack_guard, boot_stack_top
boot_stack_guard: resb 4096             ; unmapped once there are real page tables
    resb 32 * 1024
boot_stack_top:

section .note.GNU-stack noalloc noexec nowrite progbits
