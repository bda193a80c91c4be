; SPDX-License-Identifier: BSD-2-Clause
; Loads one word over and over, for Linux: each sampled load must tell that word's address.

TURNS   equ 20000
EXIT    equ 60

section .text
global _start
_start:
    mov ecx, TURNS
.loop:
    mov rax, [word_loaded]
    dec ecx
    jnz .loop
    xor edi, edi
    mov eax, EXIT
    syscall

section .bss align=64
global word_loaded
word_loaded:
    resq 8

section .note.GNU-stack noalloc noexec nowrite progbits
