/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory operands of the most common instructions, for counting loads and stores and for what PEBS records say of them.
 * Pure. 64-bit code only. Known are MOV, MOVZX, MOVSX, MOVSXD, XCHG, the eight arithmetic instructions, TEST, INC, DEC,
 * IMUL and moves of XMM registers with an explicit operand, and PUSH, POP, PUSHF, POPF, near CALL and RET, LEAVE and
 * the string instructions except IN and OUT. Of two addresses the explicit one is taken, of two strings the source.
 * Unknown are operands relative to FS or GS or with 32-bit addresses, and stack accesses of interrupts and far
 * transfers.
 */
#pragma once

#include "kernel/interrupt/frame.h"
#include "reference/model/model.h"

#define OPERAND_NO_REGISTER 16

struct operand {
    u8 access;        /* enum memory_access; ACCESS_NONE: no operand in memory, and the other fields mean nothing */
    u8 base, index;   /* register numbers */
    u8 shift;         /* of the index */
    u8 next;          /* if relative to RIP: length of the instruction; else 0 */
    s32 displacement; /* sign-extended */
};

/* Decodes from `bytes`, of which `count` are readable. */
struct operand operand_decode(const u8 *bytes, unsigned count);
/* Its linear address, before the instruction at f->rip executes. */
u64 operand_address(const struct operand *operand, const struct frame *f);
/* A general register by its number, 0 to 15. */
u64 operand_register(const struct frame *f, unsigned number);
