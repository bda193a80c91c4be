; SPDX-License-Identifier: BSD-2-Clause
; Blocks with one class of instruction at CPL 3, for count_settled(). Each iteration has the class's instructions, those
; that prepare them, and the loop's 4.

%include "harness/settled_work.inc"

%macro work 0
    lea r11, [r11 + 1]
%endmacro
SETTLED class_plain

%macro work 0
    pause
%endmacro
SETTLED class_pause

%macro work 0
    mov eax, 0
    cpuid
%endmacro
SETTLED class_cpuid

%macro work 0
    lea rsi, [rsp]
    lea rdi, [rsp + 16]
    mov ecx, 5
    rep movsb
%endmacro
SETTLED class_rep_movsb

%macro work 0
    lock add qword [rsp], 1
%endmacro
SETTLED class_lock_add

%macro work 0
    cmp rsp, 0
    jz %%never
%%never:
%endmacro
SETTLED class_fused_branch

%macro work 0
    push SELECTOR_USER_CODE
    lea rax, [%%back]
    push rax
    retfq
%%back:
%endmacro
SETTLED class_far_return

%macro work 0
%%fault:
    ud2
section extable
    dq %%fault, %%on
section .user.text
%%on:
%endmacro
SETTLED class_fault
