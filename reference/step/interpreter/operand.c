/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory operands of the most common instructions, for counting loads and stores and for what PEBS records say of them.
 */
#include "reference/step/interpreter/interpret.h"

#define BYTES_MAX 15
#define MODIFIED (ACCESS_LOAD | ACCESS_STORE)

/*
 * What an opcode does with its ModRM operand, its immediate's length (4: 2 with an operand-size prefix), and its group,
 * 1 or 5, if the bits of ModRM say more.
 */
struct opcode {
    u8 access, immediate, group;
};

static const struct opcode one_byte[256] = {
    [0x63] = {ACCESS_LOAD, 0, 0},
    [0x69] = {ACCESS_LOAD, 4, 0},
    [0x6b] = {ACCESS_LOAD, 1, 0},
    [0x80] = {MODIFIED, 1, 1},
    [0x81] = {MODIFIED, 4, 1},
    [0x83] = {MODIFIED, 1, 1},
    [0x84 ... 0x85] = {ACCESS_LOAD, 0, 0},
    [0x86 ... 0x87] = {MODIFIED, 0, 0},
    [0x88 ... 0x89] = {ACCESS_STORE, 0, 0},
    [0x8a ... 0x8b] = {ACCESS_LOAD, 0, 0},
    [0x8f] = {MODIFIED, 0, 0},
    [0xc6] = {ACCESS_STORE, 1, 0},
    [0xc7] = {ACCESS_STORE, 4, 0},
    [0xfe ... 0xff] = {MODIFIED, 0, 5},
};

static const struct opcode two_byte[256] = {
    [0x10] = {ACCESS_LOAD, 0, 0},  [0x11] = {ACCESS_STORE, 0, 0},         [0x28] = {ACCESS_LOAD, 0, 0},
    [0x29] = {ACCESS_STORE, 0, 0}, [0x6f] = {ACCESS_LOAD, 0, 0},          [0x7f] = {ACCESS_STORE, 0, 0},
    [0xaf] = {ACCESS_LOAD, 0, 0},  [0xb6 ... 0xb7] = {ACCESS_LOAD, 0, 0}, [0xbe ... 0xbf] = {ACCESS_LOAD, 0, 0},
};

/* Reading past the end gives 0: the caller compares the position with the count afterwards. */
struct reader {
    const u8 *bytes;
    unsigned count, position;
};

static u8 byte_at(const struct reader *r, unsigned position)
{
    return position < r->count ? r->bytes[position] : 0;
}

static u8 take(struct reader *r)
{
    return byte_at(r, r->position++);
}

struct prefix {
    bool word, unknown;
    u8 rex;
};

static struct prefix take_prefixes(struct reader *r)
{
    struct prefix p = {false, false, 0};
    for (; r->position < BYTES_MAX; r->position++)
        switch (byte_at(r, r->position)) {
        case 0x66:
            p.word = true;
            continue;
        case 0x64:
        case 0x65:
        case 0x67:
            p.unknown = true;
            continue;
        case 0x26:
        case 0x2e:
        case 0x36:
        case 0x3e:
        case 0xf0:
        case 0xf2:
        case 0xf3:
            continue;
        default:
            if (is_rex(byte_at(r, r->position)))
                p.rex = take(r);
            return p;
        }
    return p;
}

/* ADD, OR, ADC, SBB, AND, SUB, XOR, CMP: four forms with a ModRM byte each. */
static struct opcode arithmetic_opcode(u8 opcode)
{
    bool reads = opcode & 2 || opcode >= 0x38;
    return (struct opcode){.access = reads ? ACCESS_LOAD : MODIFIED};
}

static struct opcode take_opcode(struct reader *r)
{
    u8 opcode = take(r);
    if (opcode == 0x0f)
        return two_byte[take(r)];
    return opcode < 0x40 && (opcode & 7) < 4 ? arithmetic_opcode(opcode) : one_byte[opcode];
}

enum { RSP = 4, RBP = 5, RSI = 6, RDI = 7 };

/* Instructions whose memory operand is implicit: the stack, below and above RSP, and strings. */
static const struct implicit {
    u8 access, base;
    s8 displacement;
} implicit[256] = {
    [0x50 ... 0x57] = {ACCESS_STORE, RSP, -8},
    [0x58 ... 0x5f] = {ACCESS_LOAD, RSP, 0},
    [0x68] = {ACCESS_STORE, RSP, -8},
    [0x6a] = {ACCESS_STORE, RSP, -8},
    [0x9c] = {ACCESS_STORE, RSP, -8},
    [0x9d] = {ACCESS_LOAD, RSP, 0},
    [0xa4 ... 0xa5] = {MODIFIED, RSI, 0},
    [0xa6 ... 0xa7] = {ACCESS_LOAD, RSI, 0},
    [0xaa ... 0xab] = {ACCESS_STORE, RDI, 0},
    [0xac ... 0xad] = {ACCESS_LOAD, RSI, 0},
    [0xae ... 0xaf] = {ACCESS_LOAD, RDI, 0},
    [0xc2 ... 0xc3] = {ACCESS_LOAD, RSP, 0},
    [0xc9] = {ACCESS_LOAD, RBP, 0},
    [0xe8] = {ACCESS_STORE, RSP, -8},
};

static struct operand implicit_operand(u8 opcode)
{
    const struct implicit *row = &implicit[opcode];
    return (struct operand){
        .access = row->access, .base = row->base, .index = OPERAND_NO_REGISTER, .displacement = row->displacement};
}

/* CALL and PUSH with a memory operand store on the stack as well; with a register operand only that. JMP reads. */
static struct operand group_operand(struct operand o, u8 extension)
{
    static const u8 call = 2, jump = 4, push = 6;
    if (extension == call || extension == push)
        return o.access ? o : implicit_operand(0xe8);
    o.access = extension == jump ? o.access & ACCESS_LOAD : extension > 1 ? ACCESS_NONE : o.access;
    return o;
}

/* Group 1: CMP only reads. */
static u8 access_of(struct opcode opcode, u8 extension)
{
    return opcode.group == 1 && extension == 7 ? ACCESS_LOAD : opcode.access;
}

static s32 take_displacement(struct reader *r, unsigned size)
{
    u32 value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (u32)take(r) << 8 * i;
    return size == 1 ? (s8)value : (s32)value;
}

/* Reads ModRM, SIB and displacement; with mod 3 there is no memory operand. */
static struct operand take_operand(struct reader *r, u8 rex)
{
    u8 modrm = take(r), mod = modrm >> 6, base = modrm & 7;
    struct operand o = {.access = mod == 3 ? ACCESS_NONE : MODIFIED, .index = OPERAND_NO_REGISTER};
    if (base == 4 && mod != 3) {
        u8 sib = take(r), index = (u8)((sib >> 3 & 7) | (rex & 2) << 2);
        o.index = index == 4 ? OPERAND_NO_REGISTER : index;
        o.shift = sib >> 6;
        base = sib & 7;
    }
    bool none = mod == 0 && base == 5, sib = (modrm & 7) == 4;
    o.base = none ? OPERAND_NO_REGISTER : (u8)(base | (rex & 1) << 3);
    o.next = none && !sib; /* relative to RIP */
    o.displacement = take_displacement(r, mod == 1 ? 1 : mod == 2 || none ? 4 : 0);
    return o;
}

struct operand operand_decode(const u8 *bytes, unsigned count)
{
    struct reader r = {bytes, count, 0};
    struct prefix p = take_prefixes(&r);
    u8 first = byte_at(&r, r.position);
    struct opcode opcode = take_opcode(&r);
    u8 extension = byte_at(&r, r.position) >> 3 & 7;
    if (p.unknown)
        return (struct operand){.access = ACCESS_NONE};
    if (!opcode.access)
        return implicit_operand(first);
    struct operand o = take_operand(&r, p.rex);
    r.position += opcode.immediate == 4 && p.word ? 2 : opcode.immediate;
    if (o.access)
        o.access = access_of(opcode, extension);
    if (opcode.group == 5)
        o = group_operand(o, extension);
    if (r.position > r.count)
        o.access = ACCESS_NONE; /* the instruction is cut off */
    o.next = o.next ? (u8)r.position : 0;
    return o;
}

u64 operand_address(const struct operand *o, const struct frame *f)
{
    u64 address = (u64)(s64)o->displacement;
    if (o->base != OPERAND_NO_REGISTER)
        address += frame_value(f, o->base);
    if (o->index != OPERAND_NO_REGISTER)
        address += frame_value(f, o->index) << o->shift;
    return o->next ? address + f->rip + o->next : address;
}
