; A block for sampling: every register holds a value that says which one it is, and keeps it while the loop runs; R10
; alone moves, and tells how many instructions of the loop have retired. Each round of the loop is 64 instructions with 8
; branches, all taken but the last round's, and 9 loads: 8 of the word that R14 points to, and one of the word at RSP.
;
;   sampled_run(const struct switch_write *sw, struct sampled *s)      sampled.h
;   sampled_start, sampled_end      first and last address at which the counters are on
;   sampled_loop, sampled_loop_end  code where all registers hold their values
;
; Nothing that a known CPU miscounts; no two instructions that fuse. NASM's own LEA with the same register on both sides
; keeps its value, as do TEST and CMP.

%include "pmu/workload/counted.inc"

; struct sampled
SAMPLED_ROUNDS      equ 0
SAMPLED_REGISTERS   equ 8           ; RAX RBX RCX RDX RSI RDI RBP RSP R8 to R15
SAMPLED_XMM         equ 136
SAMPLED_USE_XMM     equ 392
CR4_OSFXSR          equ 1 << 9
CR0_EM              equ 1 << 2
CR0_TS              equ 1 << 3

%define REGISTER(n) [rbp + SAMPLED_REGISTERS + 8 * (n)]

%macro unit 0
    lea r10, [r10 + 8]
    mov r15, [r14]
    test rbx, rbp
    lea r13, [r13]
    cmp rdi, rsi
    lea r9, [r9]
    test r11, r12
    jmp %%on
    int3
%%on:
%endmacro

section .text
align 64
global sampled_run, sampled_start, sampled_end, sampled_loop, sampled_loop_end
sampled_run:                            ; RDI = struct switch_write, RSI = struct sampled
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    mov rbp, rsi
    push rsi
    push rdi
    sub rsp, 8
    cmp qword [rbp + SAMPLED_USE_XMM], 0
    je .no_xmm
    call load_xmm
.no_xmm:
    mov rax, [rbp + SAMPLED_ROUNDS]     ; counted down at RSP
    mov [rsp], rax
    mov REGISTER(7), rsp
    mov rbx, REGISTER(1)
    mov rsi, REGISTER(4)
    mov r8, REGISTER(8)
    mov r9, REGISTER(9)
    mov r11, REGISTER(11)
    mov r12, REGISTER(12)
    mov r13, REGISTER(13)
    mov r14, REGISTER(14)
    mov r15, REGISTER(15)
    mov [r14], r15                      ; warm, accessed and dirty
    mov r10, 0
    mov ecx, [rdi + SWITCH_MSR]
    mov eax, [rdi + SWITCH_ON]
    mov edx, [rdi + SWITCH_ON + 4]
    wrmsr
sampled_start:
    mov rax, REGISTER(0)
    mov rcx, REGISTER(2)
    mov rdx, REGISTER(3)
    mov rdi, REGISTER(5)
    mov rbp, REGISTER(6)
sampled_loop:
    %rep 7
    unit
    %endrep
    lea r10, [r10 + 8]
    mov r15, [r14]
    test rbx, rbp
    lea r13, [r13]
    cmp rdi, rsi
    sub qword [rsp], 1
    lea r9, [r9]
    jnz sampled_loop
sampled_loop_end:
    mov rdi, [rsp + 8]
    mov ecx, [rdi + SWITCH_MSR]
    mov eax, [rdi + SWITCH_OFF]
    mov edx, [rdi + SWITCH_OFF + 4]
    wrmsr
sampled_end:
    add rsp, 24
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    ret

; The image uses no XMM register itself, and leaves them switched off. What is loaded here stays until the next block.
load_xmm:
    mov rax, cr0
    mov rcx, rax
    and rcx, ~(CR0_EM | CR0_TS)
    mov cr0, rcx
    mov rdx, cr4
    mov rcx, rdx
    or rcx, CR4_OSFXSR
    mov cr4, rcx
    %assign n 0
    %rep 16
    movdqu xmm %+ n, [rbp + SAMPLED_XMM + 16 * n]
    %assign n n + 1
    %endrep
    mov cr4, rdx
    mov cr0, rax
    ret
