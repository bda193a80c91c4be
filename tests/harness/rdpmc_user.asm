; RDPMC at CPL 3, its fault returned: run by ring3_run() with the index as argument.

VECTOR_RING3_RETURN equ 0x81

bits 64
section .user.text progbits alloc exec nowrite align=16
global rdpmc_user_code

rdpmc_user_code:
    mov ecx, edi
.read:
    rdpmc
section extable
    dq rdpmc_user_code.read, rdpmc_user_code.back
section .user.text
    xor eax, eax
.back:                                  ; after a fault RAX holds it
    int VECTOR_RING3_RETURN

section .note.GNU-stack noalloc noexec nowrite progbits
