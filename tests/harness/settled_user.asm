; SPDX-License-Identifier: BSD-2-Clause
; Work at CPL 3 in three parts, with all counters read by RDPMC after each: ring3_run() runs it with a struct settled
; (settled.c) as argument. Returns RAX with bit 63 set, or the fault of an RDPMC. RDPMC does not wait for earlier
; instructions: LFENCE does.

VECTOR_RING3_RETURN equ 0x81
READS               equ 3
DONE                equ 63
COUNTERS_MAX        equ 64

struc settled
    .work:      resq 1
    .n:         resq 1
    .k:         resq READS
    .value:     resq READS * COUNTERS_MAX
    .index:     resd COUNTERS_MAX
endstruc

bits 64
section .user.text progbits alloc exec nowrite align=16
global settled_user_code

settled_user_code:
    mov r12, rdi
    xor ebp, ebp                        ; number of the part
    lea r14, [r12 + settled.value]      ; values of this part
.part:
    mov r8, [r12 + settled.k + 8 * rbp]
    call [r12 + settled.work]
    xor r13d, r13d                      ; counter
.counter:
    mov ecx, [r12 + settled.index + 4 * r13]
    lfence
.read:
    rdpmc
section extable
    dq settled_user_code.read, settled_user_code.back
section .user.text
    shl rdx, 32
    or rax, rdx
    mov [r14 + 8 * r13], rax
    add r13, 1
    cmp r13, [r12 + settled.n]
    jb .counter
    add r14, 8 * COUNTERS_MAX
    add ebp, 1
    cmp ebp, READS
    jb .part
    xor eax, eax
    bts rax, DONE
.back:                                  ; after a fault RAX holds the fault
    int VECTOR_RING3_RETURN

section .note.GNU-stack noalloc noexec nowrite progbits
