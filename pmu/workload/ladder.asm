; SPDX-License-Identifier: BSD-2-Clause
; Blocks of known branches, for branch records: each lies between the WRMSR that starts recording and the one that stops
; it, and every branch taken there is in a table for C, in the order of execution. No instruction in them faults or is
; interrupted (IF = 0), and no call goes to the next instruction.

%include "pmu/workload/counted.inc"

; struct ladder_branch, pmu/workload/workload.h: source, target, kind
%macro BRANCH 3
    dq %1, %2, %3
%endmacro

; MSR_LBR_SELECT's bit for the kind, pmu/registers.h
CONDITIONAL     equ 1 << 2
CALL_RELATIVE   equ 1 << 3
CALL_INDIRECT   equ 1 << 4
RETURN          equ 1 << 5
JUMP_INDIRECT   equ 1 << 6
JUMP_RELATIVE   equ 1 << 7
FAR_BRANCH      equ 1 << 8

; One branch of each kind, and two returns. Uses R10; the labels of its branches begin with %1_start and %1_function.
%macro LADDER 1
%1_start:
    cmp eax, eax
.if:
    je .then
    int3
.then:
    lea r10, [r10 + 1]
.jump:
    jmp .jumped
    int3
.jumped:
    lea r10, [.led]
.lead:
    jmp r10
    int3
.led:
    lea r10, [%1_function]
.call_it:
    call r10
.called_it:
    lea r10, [r10 + 1]
.call:
    call %1_function
.called:
    lea r10, [.far]
    mov eax, cs
    push rax
    push r10
.far_return:
    o64 retf
    int3
.far:
%endmacro

%macro LADDER_FUNCTION 1
%1_function:
    lea r10, [r10 + 1]
.return:
    ret
%endmacro

section .text
align 64
global ladder_run
ladder_run:                             ; RDI = struct switch_write
    ASK_GATE
    mov r9, rdi
    SWITCH r9, SWITCH_ON
    LADDER ladder
    SWITCH r9, SWITCH_OFF
    ret
    LADDER_FUNCTION ladder

; A tree of calls: the root calls a leaf, which returns, and a branch; the branch calls a leaf, which returns, and a
; twig. Recording stops in the twig, while the calls of branch and twig are open.
align 64
global ladder_tree_run
ladder_tree_run:                        ; RDI = struct switch_write
    ASK_GATE
    mov r9, rdi
    SWITCH r9, SWITCH_ON
ladder_tree_start:
    lea r10, [r10 + 1]
    call ladder_tree_end.leaf
    lea r10, [r10 + 1]
ladder_tree_branch:
    call ladder_tree_end.branch
    lea r10, [r10 + 1]
    ret
ladder_tree_twig:
    lea r10, [r10 + 1]
    SWITCH r9, SWITCH_OFF
ladder_tree_end:
    lea r10, [r10 + 1]
    ret
.leaf:
    lea r10, [r10 + 1]
    ret
.branch:
    lea r10, [r10 + 1]
    call .leaf
    lea r10, [r10 + 1]
.to_twig:
    call ladder_tree_twig
    lea r10, [r10 + 1]
    ret

; A call to the address where the image is mapped a second time, further branches there, and back: four branches, no
; more than the smallest number of records. The WRMSRs stay at the original address.
align 64
global ladder_high_run
ladder_high_run:                        ; RDI = struct switch_write, RSI = distance
    ASK_GATE
    mov r9, rdi
    lea r11, [.down]
    lea r10, [.up]
    add r10, rsi
    SWITCH r9, SWITCH_ON
.go_up:
    jmp r10
    int3
.up:
    lea r10, [r10 + 1]
.call:
    call .function
.called:
    lea r10, [r10 + 1]
.go_down:
    jmp r11
    int3
.function:
    lea r10, [r10 + 1]
.return:
    ret
.down:
    SWITCH r9, SWITCH_OFF
    ret

; The same at CPL 3, for ring3_run().
section .user.text progbits alloc exec nowrite align=16
global ladder_user
ladder_user:
    LADDER ladder_user
    int VECTOR_RING3_RETURN
    LADDER_FUNCTION ladder_user

section .rodata align=8
%macro LADDER_TABLE 1
    BRANCH %1_start.if, %1_start.then, CONDITIONAL
    BRANCH %1_start.jump, %1_start.jumped, JUMP_RELATIVE
    BRANCH %1_start.lead, %1_start.led, JUMP_INDIRECT
    BRANCH %1_start.call_it, %1_function, CALL_INDIRECT
    BRANCH %1_function.return, %1_start.called_it, RETURN
    BRANCH %1_start.call, %1_function, CALL_RELATIVE
    BRANCH %1_function.return, %1_start.called, RETURN
    BRANCH %1_start.far_return, %1_start.far, FAR_BRANCH
%endmacro

global ladder_branches, ladder_user_branches, ladder_open_calls, ladder_high_branches
ladder_branches:
    LADDER_TABLE ladder
ladder_user_branches:
    LADDER_TABLE ladder_user
ladder_open_calls:
    BRANCH ladder_tree_branch, ladder_tree_end.branch, CALL_RELATIVE
    BRANCH ladder_tree_end.to_twig, ladder_tree_twig, CALL_RELATIVE
ladder_high_branches:
    BRANCH ladder_high_run.go_up, ladder_high_run.up, JUMP_INDIRECT
    BRANCH ladder_high_run.call, ladder_high_run.function, CALL_RELATIVE
    BRANCH ladder_high_run.return, ladder_high_run.called, RETURN
    BRANCH ladder_high_run.go_down, ladder_high_run.down, JUMP_INDIRECT

section .note.GNU-stack noalloc noexec nowrite progbits
