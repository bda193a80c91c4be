; SPDX-License-Identifier: BSD-2-Clause
; Work at CPL 3 for the tests of this chapter: what blocks whose counts are judged by other tests must not contain.

%include "harness/settled_work.inc"

; Where the REP instructions read and write: below the stack, which nothing else uses at CPL 3.
STRING_QWORDS       equ 16
STRING_BYTES        equ 8 * STRING_QWORDS

; An IRET to the next instruction, at the same level: 8 instructions, 1 of them a branch.
%macro work 0
    lea r11, [rsp]
    push SELECTOR_USER_DATA
    push r11
    pushfq
    push SELECTOR_USER_CODE
    lea rax, [%%back]
    push rax
    iretq
%%back:
%endmacro
SETTLED iret

; A far return to the next instruction, at the same level: 4 instructions, 1 of them a branch.
%macro work 0
    push SELECTOR_USER_CODE
    lea rax, [%%back]
    push rax
    retfq
%%back:
%endmacro
SETTLED far_return

; 2 instructions, none of them a branch.
%macro work 0
    mov eax, 0
    cpuid
%endmacro
SETTLED cpuid

; A call of the next instruction: 2 instructions, 1 of them a branch.
%macro work 0
    call %%next
%%next:
    pop rax
%endmacro
SETTLED call_next

; REP STOS and REP MOVS, long enough for fast strings: 8 instructions, none of them a branch.
%macro work 0
    lea rdi, [rsp - 2 * STRING_BYTES]
    mov eax, 0
    mov ecx, STRING_QWORDS
    rep stosq
    lea rsi, [rsp - 2 * STRING_BYTES]
    lea rdi, [rsp - STRING_BYTES]
    mov ecx, STRING_QWORDS
    rep movsq
%endmacro
SETTLED strings

; A conditional jump that is not taken: 3 instructions, 1 of them a branch.
%macro work 0
    cmp rsp, 0
    lea r11, [r11 + 1]
    jz %%next
%%next:
%endmacro
SETTLED not_taken

; Stores at multiples of their size, and no SIMD: 2 instructions.
%macro work 0
    mov [rsp], r10
    mov [rsp + 8], r10
%endmacro
SETTLED stores

; A fence, and no store: 2 instructions.
%macro work 0
    mfence
    lea r11, [r11 + 1]
%endmacro
SETTLED fences

; A locked access, and no prefetch: 2 instructions.
%macro work 0
    lock add qword [rsp], 1
    lea r11, [r11 + 1]
%endmacro
SETTLED locked
