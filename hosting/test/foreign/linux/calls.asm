; SPDX-License-Identifier: BSD-2-Clause
; A known call tree, for Linux: TURNS times three calls deep, with SPINS turns of a loop in the innermost function,
; which take nearly all the time. hosting/tools/linux.sh knows the sums.

TURNS   equ 300
SPINS   equ 300
EXIT    equ 60

section .text
global _start:function
global outer:function, middle:function, inner:function
_start:
    mov ecx, TURNS
.loop:
    call outer
    dec ecx
    jnz .loop
    xor edi, edi
    mov eax, EXIT
    syscall

outer:
    call middle
    ret

middle:
    call inner
    ret

inner:
    mov edx, SPINS
.spin:
    dec edx
    jnz .spin
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
