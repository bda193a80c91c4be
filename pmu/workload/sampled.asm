; SPDX-License-Identifier: BSD-2-Clause
; A block for sampling: every register holds a value that identifies it and does not change while the loop runs; only
; R10 changes, and shows how many instructions of the loop have retired. Each round of the loop has 64 instructions with
; 8 branches, all taken except the last one of the last round, and 9 loads: 8 of the word that R14 points to, and one of
; the word at RSP. DF and ID are as the struct says. CF is set from the third instruction of an even unit on, and clear from that of an odd one on.
;
;   sampled_run(const struct switch_write *sw, struct sampled *s)      sampled.h
;   sampled_start, sampled_end      first and last address at which the counters are on
;   sampled_user(struct sampled *s)    its loop at CPL 3
;   sampled_loop, sampled_loop_end, and sampled_user_loop, sampled_user_loop_end  code where all registers hold their values
;
; It has no instruction that a known CPU miscounts, and no two instructions that fuse. NASM's own LEA with the same
; register on both sides keeps its value, as do TEST and CMP.

%include "boot/callee.inc"
%include "pmu/workload/counted.inc"

; struct sampled
%include "cpu.inc"

SAMPLED_ROUNDS      equ 0
SAMPLED_REGISTERS   equ 8           ; RAX RBX RCX RDX RSI RDI RBP RSP R8 to R15
SAMPLED_XMM         equ 136
SAMPLED_USE_XMM     equ 392
SAMPLED_THEN_MSR    equ 400
SAMPLED_THEN_VALUE  equ 408
SAMPLED_FLAGS       equ 416

FLAGS_FREE          equ 1 << 10 | 1 << 21   ; sampled.h

UNITS               equ 8

; In the stack frame; the word at RSP counts the rounds.
SAVED_SWITCH        equ 8
SAVED_CR0           equ 16
SAVED_CR4           equ 24
FRAME               equ 40

%define REGISTER(n) [rbp + SAMPLED_REGISTERS + 8 * (n)]

; Eight instructions; the labels name_1 to name_7 follow the first seven of them. Registers of higher numbers hold higher
; values.
%macro unit 2                           ; name, number
%1_0:
    lea r10, [r10 + 8]
%1_1:
    mov r15, [r14]
%1_2:
    %if %2 % 2
    test rbx, rbp
    %else
    cmp rbx, rbp
    %endif
%1_3:
    lea r13, [r13]
%1_4:
    %if %2 % 2
    cmp rdi, rsi
    %else
    cmp rsi, rdi
    %endif
%1_5:
    lea r9, [r9]
%1_6:
    %if %2 % 2
    test r11, r12
    %else
    cmp r11, r12
    %endif
%1_7:
    jmp %%on
    int3
%%on:
%endmacro

; Loads the registers' values from the struct at RBP; R10 is 0 from the first instruction on.
%macro FIRST_REGISTERS 0
    mov rbx, REGISTER(1)
    mov rsi, REGISTER(4)
    mov r8, REGISTER(8)
    mov r9, REGISTER(9)
    mov r11, REGISTER(11)
    mov r12, REGISTER(12)
    mov r13, REGISTER(13)
    mov r14, REGISTER(14)
    mov r15, REGISTER(15)
    mov [r14], r15                      ; makes its page warm, accessed and dirty
    mov r10, 0
%endmacro
; DF and ID as in the struct at RBP.
%macro MORE_FLAGS 0
    pushfq
    pop rax
    and rax, ~FLAGS_FREE
    or rax, [rbp + SAMPLED_FLAGS]
    push rax
    popfq
%endmacro
%macro LAST_REGISTERS 0
    mov rax, REGISTER(0)
    mov rcx, REGISTER(2)
    mov rdx, REGISTER(3)
    mov rdi, REGISTER(5)
    mov rbp, REGISTER(6)
%endmacro

; One round of the loop at %2, with labels of the units made of %1 and a number.
%macro ROUND 2
    %assign n 0
    %rep UNITS - 1
    unit %1 %+ n, n
    %assign n n + 1
    %endrep
%1 %+ 7_0:
    lea r10, [r10 + 8]
%1 %+ 7_1:
    mov r15, [r14]
%1 %+ 7_2:
    test rbx, rbp
%1 %+ 7_3:
    lea r13, [r13]
%1 %+ 7_4:
    cmp rdi, rsi
%1 %+ 7_5:
    sub qword [rsp], 1
%1 %+ 7_6:
    lea r9, [r9]
%1 %+ 7_7:
    jnz %2
%endmacro

section .text
align 64
global sampled_run, sampled_start, sampled_end, sampled_loop, sampled_loop_end
sampled_run:                            ; RDI = struct switch_write, RSI = struct sampled
    ASK_GATE SAMPLED_THEN_MSR
    PUSH_CALLEE_SAVED
    mov rbp, rsi
    sub rsp, FRAME
    mov [rsp + SAVED_SWITCH], rdi
    mov rax, cr0
    mov [rsp + SAVED_CR0], rax
    mov rax, cr4
    mov [rsp + SAVED_CR4], rax
    cmp qword [rbp + SAMPLED_USE_XMM], 0
    je .no_xmm
    call load_xmm
.no_xmm:
    mov rax, [rbp + SAMPLED_ROUNDS]     ; counted down at RSP
    mov [rsp], rax
    mov REGISTER(7), rsp
    MORE_FLAGS
    FIRST_REGISTERS
    SWITCH rdi, SWITCH_ON
sampled_start:
    mov ecx, [rbp + SAMPLED_THEN_MSR]
    jecxz .on
    mov eax, [rbp + SAMPLED_THEN_VALUE]
    mov edx, [rbp + SAMPLED_THEN_VALUE + 4]
    wrmsr
.on:
    LAST_REGISTERS
sampled_loop:
    ROUND unit_, sampled_loop
sampled_loop_end:
    mov rdi, [rsp + SAVED_SWITCH]
    SWITCH rdi, SWITCH_OFF
sampled_end:
    cld
    mov rax, [rsp + SAVED_CR4]
    mov cr4, rax
    mov rax, [rsp + SAVED_CR0]
    mov cr0, rax
    add rsp, FRAME
    POP_CALLEE_SAVED
    ret

; The image itself does not use XMM registers and keeps them disabled; they are enabled until the block has ended.
load_xmm:
    mov rax, cr0
    and rax, ~(CR0_EM | CR0_TS)
    mov cr0, rax
    mov rax, cr4
    or rax, CR4_OSFXSR
    mov cr4, rax
    %assign n 0
    %rep 16
    movdqu xmm %+ n, [rbp + SAMPLED_XMM + 16 * n]
    %assign n n + 1
    %endrep
    ret

; The same loop at CPL 3, for ring3_run(): of the struct it writes only the RSP.
section .user.text progbits alloc exec nowrite align=64
global sampled_user, sampled_user_loop, sampled_user_loop_end
sampled_user:                           ; RDI = struct sampled
    mov rbp, rdi
    sub rsp, FRAME
    mov rax, [rbp + SAMPLED_ROUNDS]
    mov [rsp], rax
    mov REGISTER(7), rsp
    MORE_FLAGS
    FIRST_REGISTERS
    LAST_REGISTERS
sampled_user_loop:
    ROUND user_unit_, sampled_user_loop
sampled_user_loop_end:
    int VECTOR_RING3_RETURN

; Offsets of the instructions of each unit from the start of the loop.
section .rodata
global sampled_units
sampled_units:
    %assign u 0
    %rep UNITS
    %assign i 0
    %rep 8
    dw unit_ %+ u %+ _ %+ i - sampled_loop
    %assign i i + 1
    %endrep
    %assign u u + 1
    %endrep

section .note.GNU-stack noalloc noexec nowrite progbits
