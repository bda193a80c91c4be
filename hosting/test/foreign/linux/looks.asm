; SPDX-License-Identifier: BSD-2-Clause
; A program that reads counters itself, by RDPMC, for Linux: it has an event of its own, branches in user mode, and maps
; its page, after which Linux allows RDPMC. Its exit status is the number of the first two counters that advance between
; two reads.

TURNS           equ 10000
COUNTERS        equ 2

MMAP            equ 9
EXIT            equ 60
EVENT_OPEN      equ 298
TYPE_RAW        equ 4
BRANCHES        equ 0xc4
EXCLUDE_KERNEL  equ 1 << 5
EXCLUDE_HV      equ 1 << 6
PAGE            equ 4096
PROT_READ       equ 1
MAP_SHARED      equ 1
ITSELF          equ 0
ANYWHERE        equ -1

section .text
global _start
_start:
    mov eax, EVENT_OPEN
    mov rdi, event
    mov esi, ITSELF
    mov rdx, ANYWHERE
    mov r10, -1
    xor r8d, r8d
    syscall
    mov r8, rax
    mov eax, MMAP
    xor edi, edi
    mov esi, PAGE
    mov edx, PROT_READ
    mov r10d, MAP_SHARED
    xor r9d, r9d
    syscall
    xor edi, edi
    xor ecx, ecx
.look:
    rdpmc
    mov ebx, eax
    mov eax, TURNS
.loop:
    dec eax
    jnz .loop
    rdpmc
    cmp eax, ebx
    je .still
    inc edi
.still:
    inc ecx
    cmp ecx, COUNTERS
    jne .look
    mov eax, EXIT
    syscall

section .rodata
event:
    dd TYPE_RAW, event_end - event
    dq BRANCHES, 0, 0, 0
    dq EXCLUDE_KERNEL | EXCLUDE_HV
    times 64 - ($ - event) db 0
event_end:

section .note.GNU-stack noalloc noexec nowrite progbits
