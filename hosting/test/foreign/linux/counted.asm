; SPDX-License-Identifier: BSD-2-Clause
; A program of known length, for Linux: TURNS turns of three instructions, one of them a branch, and four around them, of
; which SYSCALL counts as a branch as well. hosting/tools/linux.sh knows the sums.

TURNS   equ 100000
EXIT    equ 60

section .text
global _start
_start:
    mov ecx, TURNS
.loop:
    nop
    dec ecx
    jnz .loop
    xor edi, edi
    mov eax, EXIT
    syscall

section .note.GNU-stack noalloc noexec nowrite progbits
