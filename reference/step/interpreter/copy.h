/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instructions that the CPU executes for the interpreter, from a copy: vectors, x87, MMX, atomic and rarer integer
 * instructions. The monitor touches none of the vector registers, so those of the guest are live in them at all times.
 * General registers are in the guest's frame: the copy uses stand-ins for them, whose values go back into the frame
 * afterwards, and its memory operand is [RDI]. Pure.
 *
 * Taken are instructions that do the same at any address and any privilege level, with one operand of a known size in
 * memory. An encoding that is undefined may be taken, too: the copy then faults as the instruction would, and the CPU
 * has to do it. What x87 keeps of an instruction, its address and its operand's, is the copy's: guest/copied.c mends
 * what is stored of it.
 */
#pragma once

#include "reference/step/interpreter/operation.h"

/*
 * As operation_decode() does; an instruction that the interpreter does not know becomes an OP_COPY, or OP_NONE if it
 * cannot be copied.
 */
struct operation operation_or_copy_decode(const u8 *bytes, unsigned count);

/* The general registers of a copy, and its status flags as arithmetic.h packs them. Offsets known to copy.asm. */
struct copy_state {
    u64 rax, rcx, rdx; /* 0, 8, 16 */
    u64 rsi, rdi, r8;  /* 24, 32, 40: stand-ins */
    u64 flags;         /* 48 */
    u64 rip, address;  /* addresses of the instruction and its memory operand, if any: x87 keeps them */
};

/* Follows the copied instruction: JMP R9. */
#define COPY_RETURN 0xe1ff41u
#define COPY_CODE (COPY_BYTES + 3)
/*
 * Executes the copy at `code`. Returns false if it faulted, so that the fault's handler continued at copy_failed; then
 * nothing has changed.
 */
bool copy_enter(struct copy_state *state, const void *code);
extern const u8 copy_failed[];
