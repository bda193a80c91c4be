/* SPDX-License-Identifier: BSD-2-Clause */
/* How operation.c reads an instruction: its bytes and common parts. SDM 2A, "Instruction Format". */
#pragma once

#include "reference/step/interpreter/interpret.h"

struct reader {
    const u8 *at;
    unsigned count, position;
    bool cut; /* read past the end, or otherwise not for the monitor */
    u8 width; /* of addresses: 8, or 4 in 32-bit code */
    bool rex, wide, word, lock;
    u8 repeat, segment;                 /* last of F2H and F3H, and of 64H and 65H; 0: none */
    u8 reg_high, index_high, base_high; /* REX.R, .X, .B as 8 or 0 */
};

static inline u8 next(struct reader *r)
{
    r->cut |= r->position >= r->count;
    return r->cut ? 0 : r->at[r->position++];
}

static inline s64 next_signed(struct reader *r, unsigned size)
{
    u64 value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (u64)next(r) << 8 * i;
    unsigned unused = 64 - 8 * size;
    return (s64)(value << unused) >> unused;
}

/* Prefixes of 64-bit code. The bases of CS, DS, ES and SS are 0 there. */
static inline bool take_prefix(struct reader *r, u8 byte)
{
    switch (byte) {
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
        return true;
    case 0x64:
    case 0x65:
        r->segment = byte;
        return true;
    case 0xf0:
        r->lock = true;
        return true;
    case 0xf2:
    case 0xf3:
        r->repeat = byte;
        return true;
    default:
        return false;
    }
}

/* In 32-bit code only the operand-size prefix: an instruction with any other is left to the CPU. Returns the opcode. */
static inline u8 take_prefixes(struct reader *r)
{
    u8 byte = next(r);
    while (!r->cut && (byte == 0x66 ? r->width == 8 || !r->word : r->width == 8 && take_prefix(r, byte))) {
        r->word |= byte == 0x66;
        byte = next(r);
    }
    if (r->width == 4 || (byte & 0xf0) != 0x40)
        return byte;
    r->rex = true;
    r->wide = byte & 8;
    r->reg_high = byte & 4 ? 8 : 0;
    r->index_high = byte & 2 ? 8 : 0;
    r->base_high = byte & 1 ? 8 : 0;
    return next(r);
}

/* Operand size, for an opcode whose lowest bit distinguishes bytes from words. */
static inline u8 size_of(const struct reader *r, u8 opcode)
{
    if (!(opcode & 1))
        return 1;
    return r->wide ? 8 : r->word ? 2 : 4;
}

/* Without REX, byte registers 4 to 7 are AH to BH. */
static inline bool high_byte(const struct reader *r, unsigned reg, unsigned size)
{
    return size == 1 && !r->rex && reg >= 4;
}

static inline void take_sib(struct reader *r, struct operation *o, unsigned mod)
{
    u8 sib = next(r);
    u8 index = (sib >> 3 & 7) | r->index_high;
    o->shift = sib >> 6;
    o->index = index == 4 ? NO_REGISTER : index;
    o->base = (sib & 7) == 5 && !mod ? NO_REGISTER : (sib & 7) | r->base_high;
}

static inline void take_address(struct reader *r, struct operation *o, u8 modrm)
{
    unsigned mod = modrm >> 6, rm = modrm & 7;
    o->index = NO_REGISTER;
    o->base = (u8)(rm | r->base_high);
    if (rm == 4)
        take_sib(r, o, mod);
    else if (rm == 5 && !mod)
        o->base = r->width == 4 ? NO_REGISTER : REGISTER_RIP;
    o->displacement_at = (u8)r->position;
    if (mod == 1)
        o->displacement = (s32)next_signed(r, 1);
    else if (mod == 2 || o->base == NO_REGISTER || o->base == REGISTER_RIP)
        o->displacement = (s32)next_signed(r, 4);
}

/* Reads ModRM and what follows it: r/m becomes one operand; returns the reg field, with REX.R, to the caller. */
static inline u8 take_either(struct reader *r, struct operation *o, bool to, unsigned size)
{
    u8 *kind = to ? &o->to : &o->from, *number = to ? &o->to_register : &o->from_register;
    bool *high = to ? &o->to_high : &o->from_high;
    u8 modrm = next(r);
    if (modrm >> 6 == 3) {
        *kind = OPERAND_REGISTER;
        *number = (modrm & 7) | r->base_high;
        *high = high_byte(r, *number, size);
    } else {
        *kind = OPERAND_MEMORY;
        take_address(r, o, modrm);
    }
    return (modrm >> 3 & 7) | r->reg_high;
}

/* The same, with r/m as the operand that is written. */
static inline u8 take_modrm(struct reader *r, struct operation *o, unsigned size)
{
    return take_either(r, o, true, size);
}

/* Operands E, G: to = r/m, from = reg; or the other way round. AH to BH with a memory operand are left to the CPU: with
 * an added REX prefix their numbers would mean low bytes of other registers. */
static inline void take_operands(struct reader *r, struct operation *o, bool to_rm)
{
    u8 reg = take_either(r, o, to_rm, !to_rm && o->from_size ? o->from_size : o->size);
    bool high = high_byte(r, reg, o->size);
    r->cut |= high && (to_rm ? o->to : o->from) == OPERAND_MEMORY;
    *(to_rm ? &o->from : &o->to) = OPERAND_REGISTER;
    *(to_rm ? &o->from_register : &o->to_register) = reg;
    *(to_rm ? &o->from_high : &o->to_high) = high;
}

static inline void take_immediate(struct reader *r, struct operation *o, unsigned size)
{
    o->from = OPERAND_IMMEDIATE;
    o->immediate = next_signed(r, size > 4 ? 4 : size);
}

static inline void to_register(struct operation *o, u8 number)
{
    o->to = OPERAND_REGISTER;
    o->to_register = number;
}
