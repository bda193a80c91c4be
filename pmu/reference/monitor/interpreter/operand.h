/*
 * Memory operands of the commonest instructions, for what is counted and what a PEBS record tells of loads and stores.
 * Pure. 64-bit code only. Known are MOV, MOVZX, MOVSX, MOVSXD, XCHG, the eight arithmetic instructions, TEST, INC, DEC,
 * IMUL and moves of XMM registers with an explicit operand, and PUSH, POP, PUSHF, POPF, near CALL and RET, LEAVE and
 * the string instructions, but for IN and OUT. Of two addresses it is the explicit one, of a string's the source.
 * Nothing is known that is relative to FS or GS or has 32-bit addresses, nor what interrupts and far transfers do on
 * the stack.
 */
#pragma once

#include "kernel/interrupt/frame.h"
#include "pmu/reference/model/model.h"

#define OPERAND_NO_REGISTER 16

struct operand {
    u8 access;        /* enum memory_access; ACCESS_NONE: no operand in memory, and nothing else means anything */
    u8 base, index;   /* numbers of registers */
    u8 shift;         /* of the index */
    u8 next;          /* relative to RIP: length of the instruction; else 0 */
    s32 displacement; /* sign-extended */
};

/* Decodes from `bytes`, of which `count` are readable. */
struct operand operand_decode(const u8 *bytes, unsigned count);
/* Linear address, before the instruction at f->rip executes. */
u64 operand_address(const struct operand *operand, const struct frame *f);
/* A general register by its number, 0 to 15. */
u64 operand_register(const struct frame *f, unsigned number);
