; SPDX-License-Identifier: BSD-2-Clause
; RDPMC at CPL 3, its value returned: run by ring3_run() with the index as argument. RAX is the value with bit 63 set, or
; the fault.

VECTOR_RING3_RETURN equ 0x81
READ                equ 63

bits 64
section .user.text progbits alloc exec nowrite align=16
global rdpmc_value_user_code

rdpmc_value_user_code:
    mov ecx, edi
.read:
    rdpmc
section extable
    dq rdpmc_value_user_code.read, rdpmc_value_user_code.back
section .user.text
    shl rdx, 32
    mov eax, eax
    or rax, rdx
    bts rax, READ
.back:                                  ; after a fault RAX holds it
    int VECTOR_RING3_RETURN

section .note.GNU-stack noalloc noexec nowrite progbits
