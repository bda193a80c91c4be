; SPDX-License-Identifier: BSD-2-Clause
; Counted snippets: what single-stepping on TCG is known to miss or count twice, each with the number of instructions
; that a CPU retires for it. Run by prove.c on an interrupt table of its own with handlers of known length.

bits 64
default rel
section .text

CALL_COUNT_BEGIN    equ 0x706d7502      ; enum monitor_call, vcpu.h
CALL_COUNT_END      equ 0x706d7503
MSR_MISC_ENABLE     equ 0x1a0               ; the model answers it in every profile

; SNIPPET name, count: count = instructions between the two VMMCALLs, the MOV before the second one included.
%macro SNIPPET 2
section .rodata
%%name: db %str(%1), 0
section .snippets_table
    dq %%name, snippet_%1, %2
section .text
snippet_%1:
    push rbx
    push rbp
    push r12
    mov rbp, rsp
    mov eax, CALL_COUNT_BEGIN
    vmmcall
%endmacro
%macro END_SNIPPET 0
    mov eax, CALL_COUNT_END
    vmmcall
    mov rsp, rbp
    pop r12
    pop rbp
    pop rbx
    ret
%endmacro

section .snippets_table progbits alloc noexec nowrite align=8
global snippets
snippets:
section .text

SNIPPET empty, 1
END_SNIPPET

SNIPPET loop, 1 + 1 + 100 * 4
    mov ecx, 100
.next:
    add rax, rcx
    lea rdx, [rax + 1]
    dec ecx
    jnz .next
END_SNIPPET

; Long enough to be translated; a wrong sum executes one more instruction.
SNIPPET loop_memory, 1 + 4 + 100 * 7 + 3
    mov ecx, 100
    push 0
    mov rdx, rsp
    xor eax, eax
.next:
    add [rdx], rcx
    push rax
    adc eax, 3
    pop rbx
    lea rax, [rax + rbx]
    dec ecx
    jnz .next
    cmp qword [rdx], 5050
    je .right
    nop
.right:
    nop
END_SNIPPET

; The load faults in the last 10 turns, and its handler steps over it.
SNIPPET loop_fault, 1 + 3 + 40 * 5 + 10 * (4 + 3)
    mov ecx, 50
    lea rbx, [scratch]
    mov rsi, 0x7fff00000000
.next:
    cmp ecx, 10
    cmove rbx, rsi
    mov rax, [rbx]
    dec ecx
    jnz .next
END_SNIPPET

; The loop ends by its first branch.
SNIPPET loop_left, 1 + 2 + 70 * 5 + 2
    mov ecx, 100
    xor edx, edx
.next:
    cmp edx, 70
    je .out
    inc edx
    nop
    jmp .next
.out:
END_SNIPPET

SNIPPET self_loop, 1 + 1 + 5
    mov ecx, 5
.next:
    loop .next
END_SNIPPET

SNIPPET calls, 1 + 8
    call .function
    jmp .over
.function:
    ret
.over:
    xor eax, eax
    jnz .over
    jz .end
    nop
.end:
    push rax
    pop rax
END_SNIPPET

SNIPPET rep_movs, 1 + 4
    mov ecx, 5
    lea rsi, [scratch]
    lea rdi, [scratch + 64]
    rep movsb
END_SNIPPET

SNIPPET rep_nothing, 1 + 3
    xor ecx, ecx
    lea rdi, [scratch]
    rep stosb
END_SNIPPET

SNIPPET repe_cmps, 1 + 4
    mov ecx, 5
    lea rsi, [scratch]
    lea rdi, [scratch + 64]
    repe cmpsb
END_SNIPPET

SNIPPET sti_cli, 1 + 5
    cli
    nop
    sti
    nop
    cli
END_SNIPPET

SNIPPET sti_sti, 1 + 4
    sti
    sti
    nop
    cli
END_SNIPPET

SNIPPET sti_cpuid, 1 + 3
    sti
    cpuid
    cli
END_SNIPPET

SNIPPET mov_ss, 1 + 3
    mov eax, ss
    mov ss, eax
    nop
END_SNIPPET

SNIPPET mov_ss_pushf, 1 + 4
    mov eax, ss
    mov ss, eax
    pushfq
    pop rax
END_SNIPPET

SNIPPET mov_ss_fault, 1 + 2 + 2         ; UD2 does not retire; its handler is 2 instructions
    mov eax, ss
    mov ss, eax
    ud2
END_SNIPPET

SNIPPET lss, 1 + 2
    lss ecx, [stack_pointer_image]
    mov rsp, rbp
END_SNIPPET

SNIPPET flags, 1 + 4
    pushfq
    pop rax
    push rax
    popfq
END_SNIPPET

SNIPPET flags_word, 1 + 2
    pushfw
    popfw
END_SNIPPET

SNIPPET cpuid, 1 + 2
    xor eax, eax
    cpuid
END_SNIPPET

SNIPPET rdmsr, 1 + 2
    mov ecx, MSR_MISC_ENABLE
    rdmsr
END_SNIPPET

SNIPPET rdpmc, 1 + 2
    xor ecx, ecx
    rdpmc
END_SNIPPET

SNIPPET rdtsc, 1 + 2
    rdtsc
    nop
END_SNIPPET

SNIPPET pause, 1 + 2
    pause
    nop
END_SNIPPET

SNIPPET iretq, 1 + 10
    mov rax, rsp
    mov ecx, ss
    push rcx
    push rax
    pushfq
    mov ecx, cs
    push rcx
    lea rdx, [.target]
    push rdx
    iretq
.target:
END_SNIPPET

SNIPPET far_return, 1 + 5
    mov ecx, cs
    push rcx
    lea rdx, [.target]
    push rdx
    o64 retf
.target:
END_SNIPPET

SNIPPET int_n, 1 + 1 + 2
    int 0x82
END_SNIPPET

SNIPPET int3, 1 + 1 + 2
    int3
END_SNIPPET

SNIPPET undefined, 1 + 2
    ud2
END_SNIPPET

SNIPPET page_fault, 1 + 1 + 3
    mov rbx, 0x7fff00000000
    mov rax, [rbx]
END_SNIPPET

SNIPPET control_registers, 1 + 6
    mov rax, cr3
    mov cr3, rax
    mov rax, cr8
    mov cr8, rax
    mov rax, dr7
    mov dr7, rax
END_SNIPPET

SNIPPET ports, 1 + 2
    in al, 0x61
    nop
END_SNIPPET

SNIPPET locked, 1 + 2
    lock add qword [scratch], 1
    lock cmpxchg [scratch], rax
END_SNIPPET

SNIPPET swapgs, 1 + 2
    swapgs
    swapgs
END_SNIPPET

SNIPPET enter_leave, 1 + 3
    push rbp
    enter 16, 0
    leave
END_SNIPPET

section .snippets_table
    dq 0, 0, 0

section .text
; Handlers of known length. #UD and #PF step over the instruction.
global prove_iret, prove_undefined, prove_page_fault
prove_undefined:
    add qword [rsp], 2
prove_iret_tail:
    iretq
prove_iret:
    inc qword [scratch]
    iretq
prove_page_fault:
    add rsp, 8
    add qword [rsp], 3
    iretq

section .data
align 64
scratch:                times 128 db 0
stack_pointer_image:    dd 0
                        dw 0x20

section .note.GNU-stack noalloc noexec nowrite progbits
