; SPDX-License-Identifier: BSD-2-Clause
; A block whose path is given by a number: see workload.h. The number is shifted out of R8 bit by bit; the highest set bit
; ends it. Uses R10, RAX and RDX.
;
; LEA and CMOVC change no flag: the bit stays in CF from SHR to JNC. No instructions in it fuse, fault or are
; interrupted (at CPL 0 IF = 0), and no call goes to the next instruction.

%include "pmu/workload/counted.inc"

%macro PATH 1
%1_start:
    shr r8, 1
.leave:
    jz .left
    lea r10, [%1_clear]
    lea rax, [%1_set]
    cmovc r10, rax
.skip:
    jnc .skipped
    lea rdx, [rdx + 1]
.skipped:
    lea rdx, [rdx + 2]
.call:
    call r10
.called:
    lea rdx, [rdx + 3]
.again:
    jmp %1_start
    int3
.left:
%endmacro

%macro PATH_FUNCTIONS 1
%1_clear:
    lea rdx, [rdx + 4]
.return:
    ret
%1_set:
    lea rdx, [rdx + 5]
    lea rdx, [rdx + 6]
.return:
    ret
%endmacro

section .text
align 64
global path_run
path_run:                               ; RDI = struct switch_write, RSI = the path, RDX = another one around it, or 0
    ASK_GATE
    test rdx, rdx
    jz .asked
    xchg rdi, rdx
    ASK_GATE
    xchg rdi, rdx
.asked:
    mov r9, rdi
    mov r8, rsi
    mov r11, rdx
    test r11, r11
    jz .alone
    SWITCH r11, SWITCH_ON
.alone:
    SWITCH r9, SWITCH_ON
    PATH path
    SWITCH r9, SWITCH_OFF
    test r11, r11
    jz .off
    SWITCH r11, SWITCH_OFF
.off:
    ret
    PATH_FUNCTIONS path

; The same at CPL 3, for ring3_run().
section .user.text progbits alloc exec nowrite align=16
global path_user
path_user:                              ; RDI = the path
    mov r8, rdi
    PATH path_user
    int VECTOR_RING3_RETURN
    PATH_FUNCTIONS path_user

section .rodata align=8
; struct path_code, pmu/workload/workload.h
%macro PATH_CODE 2
    dq %2, %1_start
    dq %1_start.leave, %1_start.left
    dq %1_start.skip, %1_start.skipped
    dq %1_start.call, %1_start.called
    dq %1_start.again
    dq %1_clear, %1_clear.return
    dq %1_set, %1_set.return
%endmacro

global path_code, path_user_code
path_code:
    PATH_CODE path, path_start
path_user_code:
    PATH_CODE path_user, path_user

section .note.GNU-stack noalloc noexec nowrite progbits
