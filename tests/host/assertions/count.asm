; SPDX-License-Identifier: BSD-2-Clause
; Counts the assertions that a host test runs. The linker leads each call of one of cmocka's functions here (--wrap, see
; ASSERTIONS in tools/build/programs.mk), and from here to the function itself, whatever its arguments are.

bits 64
default rel
extern assertions_told

%macro COUNTED 1
extern __real_%1:weak                  ; not every version of cmocka has all of them
global __wrap_%1
__wrap_%1:
    lock inc qword [assertions_run]
    jmp [rel __real_%1 wrt ..gotpc]
%endmacro

section .text
%include "assertions.inc"

section .data
global assertions_run
assertions_run: dq 0
    dq assertions_told                  ; what prints the count is linked, too

section .note.GNU-stack noalloc noexec nowrite progbits
