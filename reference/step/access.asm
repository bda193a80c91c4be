; SPDX-License-Identifier: BSD-2-Clause
; Memory and registers for a stepper: a fault makes the function return false.

bits 64
section .text
global direct_load, direct_same, direct_store, guest_fill, guest_move, guest_rdtsc, guest_task
global native_rdmsr, native_cpuid
global guest_xmm, guest_copy, guest_copy_at, guest_copy_end, guest_fetch, guest_access_end, guest_copy_failed

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
    mov [rdi], rax
    mov [rdi + 8], rdx
    mov eax, 1
    ret

; bool direct_load(u64 *value, u64 address, u64 size)
direct_load:
    cmp edx, 4
    ja .eight
    je .four
    cmp edx, 1
    je .one
    movzx eax, word [rsi]
    jmp .done
.eight:
    mov rax, [rsi]
    jmp .done
.four:
    mov eax, [rsi]
    jmp .done
.one:
    movzx eax, byte [rsi]
.done:
    mov [rdi], rax
    mov eax, 1
    ret

; bool direct_store(u64 address, u64 value, u64 size)
direct_store:
    mov eax, 1
    cmp edx, 4
    ja .eight
    je .four
    cmp edx, 1
    je .one
    mov [rdi], si
    ret
.eight:
    mov [rdi], rsi
    ret
.four:
    mov [rdi], esi
    ret
.one:
    mov [rdi], sil
    ret

; bool guest_move(u64 to, u64 from, u64 count, u64 size), bool guest_fill(u64 to, u64 value, u64 count, u64 size)
guest_move:
    mov eax, ecx
    mov rcx, rdx
    cmp eax, 4
    ja .eight
    je .four
    cmp eax, 1
    je .one
    rep movsw
    jmp .done
.eight:
    rep movsq
    jmp .done
.four:
    rep movsd
    jmp .done
.one:
    rep movsb
.done:
    mov eax, 1
    ret
guest_fill:
    mov r8d, ecx
    mov rcx, rdx
    mov rax, rsi
    cmp r8d, 4
    ja .eight
    je .four
    cmp r8d, 1
    je .one
    rep stosw
    jmp .done
.eight:
    rep stosq
    jmp .done
.four:
    rep stosd
    jmp .done
.one:
    rep stosb
.done:
    mov eax, 1
    ret

; bool direct_same(const void *a, const void *guest, u64 count)
direct_same:
    xor ecx, ecx
.next:
    lea rax, [rcx + 8]
    cmp rax, rdx
    ja .tail
    mov r8, [rdi + rcx]
    cmp r8, [rsi + rcx]
    jne guest_copy_failed
    mov rcx, rax
    jmp .next
.tail:
    cmp rcx, rdx
    je .done
    mov al, [rdi + rcx]
    cmp al, [rsi + rcx]
    jne guest_copy_failed
    inc rcx
    jmp .tail
.done:
    mov eax, 1
    ret

; bool native_rdmsr(u32 msr, u64 *value)
native_rdmsr:
    mov ecx, edi
    rdmsr
guest_access_end:
    shl rdx, 32
    or rax, rdx
    mov [rsi], rax
    mov eax, 1
    ret

; u64 guest_rdtsc(void), u64 guest_task(void)
guest_rdtsc:
    rdtsc
    shl rdx, 32
    or rax, rdx
    ret
guest_task:
    str eax
    ret

guest_copy_failed:
    xor eax, eax
    ret

; void native_cpuid(u32 leaf, u32 subleaf, u32 to[4])
native_cpuid:
    push rbx
    mov r8, rdx
    mov eax, edi
    mov ecx, esi
    cpuid
    mov [r8], eax
    mov [r8 + 4], ebx
    mov [r8 + 8], ecx
    mov [r8 + 12], edx
    pop rbx
    ret

; void guest_xmm(u64 to[16][2])
guest_xmm:
%assign n 0
%rep 16
    movups [rdi + 16 * n], xmm %+ n
%assign n n + 1
%endrep
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
