/*
 * Memory operands of the commonest instructions, for what a PEBS record tells of loads and stores. Pure. 64-bit code
 * only. Known are MOV, MOVZX, MOVSX, MOVSXD, XCHG, the eight arithmetic instructions, TEST, INC, DEC, IMUL and moves of
 * XMM registers, with an explicit operand: pushing, popping and string instructions have none here, and neither has
 * anything relative to FS or GS or with 32-bit addresses.
 */
#pragma once

#include "kernel/cpu/frame.h"
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
