; SPDX-License-Identifier: BSD-2-Clause
; The operations of a walk, each a few fixed instructions that end in a jump to the next step's code; and the entries of
; interrupts and faults meanwhile. Body and PMI handler are both lists of steps, run by the same code.
;
; Registers: RSI the step, RDI the address of the next word of the trace, R11 the local APIC's page, RBX and R14 memory
; to load from and store to, R12 struct lockstep_context, R13 the stack of CPL 3, R15 that of CPL 0. RAX, RCX and RDX
; are free.
;
; A step that reads stores its value in the trace by a single STOSQ, so that an interrupt comes before or after all of
; it.

%include "boot/callee.inc"
%include "boot/site.inc"
%include "reference/lockstep/code.inc"
%include "cpu.inc"

bits 64
default rel

; struct lockstep_step and struct lockstep_context, code.h
STEP_SIZE       equ 32
STEP_NUMBER     equ 8
STEP_VALUE      equ 16
STEP_PLACE      equ 24
CONTEXT_HANDLER equ 0
CONTEXT_ABORT   equ 8
CONTEXT_LEFT    equ 16
CONTEXT_STORM   equ 20
; RBP in a walk; R8, R9 and R10 have the numbers that follow. code.h
WALK_RBP        equ 0x0b9e5a17c3d28f64
; The first word of an entry in the trace, code.h
TAG_FAULT       equ 0x4641554c54000000
TAG_PMI         equ 0x504d490000000000

VECTOR_PMI      equ 0xe0                ; kernel/interrupt/interrupt.h
VECTOR_BACK     equ 0x81                ; the same: VECTOR_RING3_RETURN
STUB_SIZE       equ 16

section .data.rel.ro.lockstep progbits alloc noexec write align=8

section .text
global lockstep_run, lockstep_pmi, lockstep_nmi, lockstep_fault, lockstep_back, lockstep_code
extern stubs

code_first:

; u64 *lockstep_run(struct lockstep_context *, struct lockstep_step *, u64 *trace, u8 *apic, u8 *user_stack, u8 *memory)
; Returns the end of the trace.
lockstep_run:
    PUSH_CALLEE_SAVED
    mov r12, rdi
    mov rdi, rdx
    mov r11, rcx
    mov r13, r8
    mov rbx, r9
    mov r14, r9
    mov r15, rsp
    mov rbp, WALK_RBP
    lea r8, [rbp + 1]
    lea r9, [rbp + 2]
    lea r10, [rbp + 3]
    jmp [rsi]

; ---- Operations at CPL 0

CODE op_end
    I END, mov rsp, r15
    mov rax, rdi
    POP_CALLEE_SAVED
    ret

%macro SAME_AT_BOTH 1
CODE op_rdpmc_%1
    I LOADS, mov ecx, [rsi + STEP_NUMBER]
    I FENCE, lfence
    I RDPMC, rdpmc
    I PLAIN, shl rdx, 32
    I PLAIN, or rax, rdx
    I STORES_VALUE, stosq
    GO_ON

CODE op_loop_%1
    I ARGUMENT, mov ecx, [rsi + STEP_NUMBER]
%%turn:
    I COUNT_DOWN, dec ecx
    IT LOOP, %%turn, jnz %%turn
    GO_ON

; No instruction of a step executes twice, except in a loop: else RIP would not tell where a PMI came.
CODE op_branches_%1
    IT JUMP, %%a, jmp %%a
    int3
%%b:
    I PLAIN, test rsp, rsp
    IT NOT_TAKEN, %%end, jz %%end
    IT CALL, %%c, call %%c
    I PLAIN, lea rax, [%%d]
    IT CALL_INDIRECT, %%d, call rax
    I PLAIN, lea rax, [%%end]
    IT JUMP_INDIRECT, %%end, jmp rax
    int3
%%a:
    I PLAIN, test rsp, rsp
    IT TAKEN, %%b, jnz %%b
    int3
%%c:
    I PLAIN, lea rdx, [rdx + 1]
    I RETURN, ret
%%d:
    I PLAIN, lea rdx, [rdx + 2]
    I RETURN, ret
%%end:
    GO_ON

CODE op_straight_%1
    %rep 7
    I PLAIN, lea rax, [rax + 1]
    %endrep
    GO_ON

; Of no length, as RSI and RDI are in use.
CODE op_string_%1
    I PLAIN, xor ecx, ecx
    I STRING, rep lodsb
    GO_ON

CODE op_memory_%1
    I LOADS, mov eax, [rbx]
    I STORES, mov [rbx + 64], eax
    I LOADS, mov eax, [rbx + 128]
    I LOADS, mov edx, [rbx + 192]
    I STORES, mov [rbx + 256], edx
    GO_ON
%endmacro

SAME_AT_BOTH 0

CODE op_wrmsr
    I LOADS, mov ecx, [rsi + STEP_NUMBER]
    I LOADS, mov eax, [rsi + STEP_VALUE]
    I LOADS, mov edx, [rsi + STEP_VALUE + 4]
    I WRMSR, wrmsr
    GO_ON

CODE op_rdmsr
    I LOADS, mov ecx, [rsi + STEP_NUMBER]
    I FENCE, lfence
    I RDMSR, rdmsr
    I PLAIN, shl rdx, 32
    I PLAIN, or rax, rdx
    I STORES_VALUE, stosq
    GO_ON

CODE op_cpuid
    I LOADS, mov eax, [rsi + STEP_NUMBER]
    I LOADS, mov ecx, [rsi + STEP_VALUE]
    I CPUID, cpuid
    I PLAIN, shl rbx, 32
    I PLAIN, or rax, rbx
    I PLAIN, mov rbx, r14
    I STORES_VALUE, stosq
    I PLAIN, shl rdx, 32
    I PLAIN, lea rax, [rcx + rdx]
    I SECOND, nop
    I STORES_VALUE, stosq
    GO_ON

CODE op_poke
    I LOADS, mov rcx, [rsi + STEP_PLACE]
    I LOADS, mov rax, [rsi + STEP_VALUE]
    I POKES, mov [rcx], rax
    GO_ON

CODE op_peek
    I LOADS, mov rcx, [rsi + STEP_PLACE]
    I PEEKS, mov rax, [rcx]
    I STORES_VALUE, stosq
    GO_ON

CODE op_tpr
    I LOADS, mov rax, [rsi + STEP_VALUE]
    I SETS_TPR, mov cr8, rax
    GO_ON

CODE op_read_lvtpc
    I READS_LVTPC, PAGE_SITE mov eax, [r11 + APIC_LVT_PC]
    I STORES_VALUE, stosq
    GO_ON

CODE op_write_lvtpc
    I LOADS, mov eax, [rsi + STEP_VALUE]
    I WRITES_LVTPC, PAGE_SITE mov [r11 + APIC_LVT_PC], eax
    GO_ON

CODE op_eoi
    I PLAIN, xor eax, eax
    I EOI, PAGE_SITE mov [r11 + APIC_EOI], eax
    GO_ON

CODE op_x2_read_lvtpc
    I PLAIN, mov ecx, MSR_X2APIC + APIC_LVT_PC / 16
    I READS_LVTPC, rdmsr
    I PLAIN, mov eax, eax
    I STORES_VALUE, stosq
    GO_ON

CODE op_x2_write_lvtpc
    I PLAIN, mov ecx, MSR_X2APIC + APIC_LVT_PC / 16
    I LOADS, mov eax, [rsi + STEP_VALUE]
    I PLAIN, xor edx, edx
    I MSR_LVTPC, wrmsr
    GO_ON

CODE op_x2_eoi
    I PLAIN, mov ecx, MSR_X2APIC + APIC_EOI / 16
    I PLAIN, xor eax, eax
    I PLAIN, xor edx, edx
    I MSR_EOI, wrmsr
    GO_ON

CODE op_cli
    I CLI, cli
    GO_ON

CODE op_sti
    I STI, sti
    I PLAIN, lea rax, [rax + 1]
    GO_ON

CODE op_settle
    I ARGUMENT, mov ecx, [rsi + STEP_NUMBER]
.turn:
    I COUNT_DOWN, dec ecx
    IT LOOP, .turn, jnz .turn
    I SETTLED, lea rax, [rax + 1]
    GO_ON

CODE op_iret
    I LOADS, pop rsi
    I LOADS, pop rdx
    I LOADS, pop rcx
    I LOADS, pop rax
    I IRET, iretq

CODE op_to_user
    I PLAIN, lea rax, [user_go]
    I STORES, push SELECTOR_USER_DATA
    I STORES, push r13
    I STORES, pushfq
    I STORES, push SELECTOR_USER_CODE
    I STORES, push rax
    IT TO_USER, user_go, iretq

; ---- Entries. Each checks whether a walk was interrupted; if not, nothing has changed.

; Sets RAX to the interrupted RIP, at RSP + %1 with two registers pushed; goes to %2 if it is not in a walk.
%macro IS_WALK 2
    I LOADS, mov rax, [rsp + %1]
    I LOADS, cmp byte [rsp + %1 + 8], SELECTOR_CODE
    IT IF_USER, %%user, jnz %%user
    I PLAIN, lea rcx, [code_first]
    I PLAIN, sub rax, rcx
    I PLAIN, cmp rax, code_last - code_first
    IT NOT_TAKEN, %2, jae %2
    IT JUMP, %%walk, jmp %%walk
%%user:
    I PLAIN, lea rcx, [lockstep_user]
    I PLAIN, sub rax, rcx
    I PLAIN, cmp rax, user_last - lockstep_user
    IT NOT_TAKEN, %2, jae %2
%%walk:
%endmacro

; The entry of a PMI: vector %1. op_iret pops what is pushed here.
%macro PMI 1
    I STORES, push rax
    I STORES, push rcx
    IS_WALK 16, .other
    I LOADS, mov rax, [r12 + CONTEXT_ABORT]
    I LOADS, cmp byte [rax], 0
    IT NOT_TAKEN, .other, jne .other
    I LOADS, mov rcx, [rsp]
    I STORES, push rdx
    I STORES, push rsi
    I PLAIN, mov rax, TAG_PMI + %1
    I STORES_WORD, stosq
    I LOADS, mov rax, [rsp + 32]
    I STORES_WORD, stosq
    I PLAIN, mov rax, rsi
    I STORES_WORD, stosq
    I PLAIN, mov rax, rcx
    I STORES_WORD, stosq
    I MODIFIES, dec dword [r12 + CONTEXT_LEFT]
    IT NOT_TAKEN, storm, jz storm
    I LOADS, mov rsi, [r12 + CONTEXT_HANDLER]
    I GO, jmp [rsi]
.other:
    pop rcx
    pop rax
    jmp stubs + STUB_SIZE * %1
%endmacro

CODE lockstep_pmi
    PMI VECTOR_PMI

CODE lockstep_nmi
    PMI VECTOR_NMI

; Too many PMIs: the walk ends here, through an IRET to this stack, which lets NMIs in again.
storm:
    mov dword [r12 + CONTEXT_STORM], 1
    lea rcx, [.out]
    mov rdx, r15
    push SELECTOR_DATA
    push rdx
    push RFLAGS_FIXED
    push SELECTOR_CODE
    push rcx
    iretq
.out:
    mov rax, rdi
    POP_CALLEE_SAVED
    ret

; #GP: the step is over. If it was at CPL 0, without IRET, which would let an NMI interrupt the handler of another.
CODE lockstep_fault
    I STORES, push rax
    I STORES, push rcx
    IS_WALK 24, .other
    I PLAIN, mov rax, TAG_FAULT + VECTOR_GP
    I STORES_WORD, stosq
    I PLAIN, mov rax, rsi
    I STORES_WORD, stosq
    I LOADS, cmp byte [rsp + 32], SELECTOR_CODE
    IT IF_USER, .user, jnz .user
    I LOADS, mov rcx, [rsp + 40]
    I LOADS, mov rsp, [rsp + 48]
    I STORES, push rcx
    I FLAGS, popfq
    GO_ON
.user:
    I PLAIN, lea rcx, [user_go]
    I PLAIN, add rsp, 24
    I STORES, mov [rsp], rcx
    IT TO_USER, user_go, iretq
.other:
    pop rcx
    pop rax
    jmp stubs + STUB_SIZE * VECTOR_GP

; INT from CPL 3.
CODE lockstep_back
    I STORES, push rax
    I STORES, push rcx
    IS_WALK 16, .other
    I PLAIN, mov rsp, r15
    GO_ON
.other:
    pop rcx
    pop rax
    jmp stubs + STUB_SIZE * VECTOR_BACK

code_last:

; ---- Operations at CPL 3

AT_CPL_3
lockstep_user:

CODE user_go
    GO_ON

SAME_AT_BOTH 3

CODE op_from_user
    IT FROM_USER, lockstep_back, int VECTOR_BACK
    ud2                                 ; it would return to user code
user_last:

; ---- The tables

; For each enum lockstep_op: its code and rows at CPL 0, and at CPL 3; 0: none there. The entries come last.
section .data.rel.ro progbits alloc noexec write align=8
%macro OPERATION 2
    %ifidn %1, 0
    dq 0, 0
    %else
    dq %1, %1_rows
    %endif
    %ifidn %2, 0
    dq 0, 0
    %else
    dq %2, %2_rows
    %endif
%endmacro
lockstep_code:
    OPERATION op_end, 0
    OPERATION op_wrmsr, 0
    OPERATION op_rdmsr, 0
    OPERATION op_rdpmc_0, op_rdpmc_3
    OPERATION op_loop_0, op_loop_3
    OPERATION op_branches_0, op_branches_3
    OPERATION op_straight_0, op_straight_3
    OPERATION op_memory_0, op_memory_3
    OPERATION op_read_lvtpc, 0
    OPERATION op_write_lvtpc, 0
    OPERATION op_eoi, 0
    OPERATION op_cli, 0
    OPERATION op_sti, 0
    OPERATION op_settle, 0
    OPERATION op_iret, 0
    OPERATION op_to_user, 0
    OPERATION 0, op_from_user
    OPERATION op_cpuid, 0
    OPERATION op_poke, 0
    OPERATION op_peek, 0
    OPERATION op_tpr, 0
    OPERATION op_string_0, op_string_3
    OPERATION 0, 0
    OPERATION 0, 0
    OPERATION op_x2_read_lvtpc, 0
    OPERATION op_x2_write_lvtpc, 0
    OPERATION op_x2_eoi, 0
    OPERATION lockstep_pmi, 0
    OPERATION lockstep_nmi, 0
    OPERATION lockstep_fault, 0
    OPERATION lockstep_back, user_go

section .note.GNU-stack noalloc noexec nowrite progbits
