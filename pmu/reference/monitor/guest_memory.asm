; Guest memory from the monitor: a fault makes the copy return false.

bits 64
section .text
global guest_copy, guest_copy_at, guest_copy_end, guest_fetch, guest_fetch_end, guest_copy_failed

; bool guest_copy(void *to, const void *from, u64 count)
guest_copy:
    mov rcx, rdx
guest_copy_at:
    rep movsb
guest_copy_end:
    mov eax, 1
    ret

; bool guest_fetch(u64 to[2], const void *from): 16 bytes in two loads
guest_fetch:
    mov rax, [rsi]
    mov rdx, [rsi + 8]
guest_fetch_end:
    mov [rdi], rax
    mov [rdi + 8], rdx
    mov eax, 1
    ret
guest_copy_failed:
    xor eax, eax
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
