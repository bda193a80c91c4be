/* SPDX-License-Identifier: BSD-2-Clause */
/* SDM 2D, "Opcode Map". */
#include "reference/step/interpreter/operation_reader.h"

/* CMP, TEST and BT only set flags. */
static void take_function(struct operation *o, unsigned function)
{
    o->code = function == DO_CMP || function == DO_TEST || function == DO_BT ? OP_COMPARE : OP_ARITHMETIC;
    o->function = (u8)function;
}

/*
 * ---- Forms: how a range of opcodes has its operands. Each finds o->code as its row says, and o->size by the opcode's
 * lowest bit.
 */

/* Opcodes 00H to 3FH: eight functions on E,G, G,E or the accumulator and an immediate. */
static void rows(struct reader *r, struct operation *o, u8 opcode)
{
    unsigned form = opcode & 7;
    if (form > 5)
        return;
    take_function(o, opcode >> 3);
    if (form < 4) {
        take_operands(r, o, form < 2);
        return;
    }
    to_register(o, 0);
    take_immediate(r, o, o->size);
}

static void test(struct reader *r, struct operation *o, u8 opcode)
{
    take_function(o, DO_TEST);
    if (opcode < 0xa8) {
        take_operands(r, o, true);
        return;
    }
    to_register(o, 0);
    take_immediate(r, o, o->size);
}

static void move(struct reader *r, struct operation *o, u8 opcode)
{
    take_operands(r, o, opcode < 0x8a);
}

static void move_immediate(struct reader *r, struct operation *o, u8 opcode)
{
    o->size = size_of(r, opcode >> 3); /* B0H to B7H: bytes */
    to_register(o, (opcode & 7) | r->base_high);
    o->to_high = high_byte(r, o->to_register, o->size);
    o->from = OPERAND_IMMEDIATE;
    o->immediate = next_signed(r, o->size);
}

static void address(struct reader *r, struct operation *o, u8 opcode)
{
    (void)opcode;
    take_operands(r, o, false);
    if (o->from != OPERAND_MEMORY)
        o->code = OP_NONE;
}

/* MOVZX, MOVSX, MOVSXD, CMOVcc and IMUL G,E: never byte destinations. */
static void wide_move(struct reader *r, struct operation *o, u8 opcode)
{
    r->cut |= opcode == 0x63 && r->width == 4; /* ARPL */
    o->size = size_of(r, 1);
    if (o->code != OP_CMOV)
        o->from_size = opcode == 0x63 ? 4 : opcode & 1 ? 2 : 1;
    take_operands(r, o, false);
}

/* IMUL G,E, also with an immediate */
static void multiply(struct reader *r, struct operation *o, u8 opcode)
{
    if (o->code == OP_NONE)
        take_function(o, DO_IMUL);
    take_operands(r, o, false);
    if (o->code == OP_SCALE)
        o->immediate = next_signed(r, opcode == 0x6b ? 1 : o->size > 4 ? 4 : o->size);
}

/* Groups 1, 2 and 11: a function in the reg field, on r/m and an immediate, CL or 1. */
static void group1(struct reader *r, struct operation *o, u8 opcode)
{
    take_function(o, take_modrm(r, o, o->size) & 7);
    take_immediate(r, o, opcode == 0x83 ? 1 : o->size);
}

static void group2(struct reader *r, struct operation *o, u8 opcode)
{
    take_function(o, DO_ROL + (take_modrm(r, o, o->size) & 7u));
    if (opcode < 0xd0) {
        take_immediate(r, o, 1);
        return;
    }
    o->from = opcode < 0xd2 ? OPERAND_IMMEDIATE : OPERAND_REGISTER;
    o->from_register = 1;
    o->immediate = 1;
}

static void group3(struct reader *r, struct operation *o, u8 opcode)
{
    static const u8 functions[8] = {DO_TEST, DO_TEST, DO_NOT, DO_NEG, DO_MUL_WIDE, DO_IMUL_WIDE};
    (void)opcode;
    unsigned which = take_modrm(r, o, o->size) & 7;
    take_function(o, functions[which]);
    if (which < 2)
        take_immediate(r, o, o->size);
    else if (which >= 6 || (which >= 4 && o->size == 1))
        o->code = OP_NONE; /* division may fault */
    else if (which >= 4)
        o->code = OP_MULTIPLY;
}

/* Groups 4 and 5: INC, DEC; near calls and jumps; PUSH. */
static void group5(struct reader *r, struct operation *o, u8 opcode)
{
    static const u8 codes[8] = {OP_ARITHMETIC, OP_ARITHMETIC, OP_CALL, OP_NONE, OP_JUMP, OP_NONE, OP_PUSH, OP_NONE};
    unsigned which = take_modrm(r, o, o->size) & 7;
    o->code = which > 1 && (opcode == 0xfe || r->word) ? OP_NONE : codes[which];
    o->function = which ? DO_DEC : DO_INC;
    if (which < 2)
        return;
    o->size = r->width;
    o->from = o->to;
    o->from_register = o->to_register;
}

/* BT with an immediate; the rest of group 8 writes its operand. */
static void group8(struct reader *r, struct operation *o, u8 opcode)
{
    (void)opcode;
    o->size = size_of(r, 1);
    if ((take_modrm(r, o, o->size) & 7) == 4)
        take_function(o, DO_BT);
    take_immediate(r, o, 1);
}

static void group11(struct reader *r, struct operation *o, u8 opcode)
{
    (void)opcode;
    if (take_modrm(r, o, o->size) & 7)
        o->code = OP_NONE;
    take_immediate(r, o, o->size);
}

/* LFENCE, MFENCE, SFENCE. */
static void group15(struct reader *r, struct operation *o, u8 opcode)
{
    (void)opcode;
    if (next(r) < 0xe8 || r->rex || r->word)
        o->code = OP_NONE;
}

static void store_task(struct reader *r, struct operation *o, u8 opcode)
{
    (void)opcode;
    o->size = size_of(r, 1);
    if ((take_modrm(r, o, o->size) & 7) != 1 || o->to != OPERAND_REGISTER)
        o->code = OP_NONE;
}

static void bit_test(struct reader *r, struct operation *o, u8 opcode)
{
    (void)opcode;
    take_function(o, DO_BT);
    take_operands(r, o, true);
    if (o->to == OPERAND_MEMORY)
        o->code = OP_NONE; /* the bit may lie outside the operand in memory */
}

/* SETcc, and the NOP that has an operand. */
static void only_rm(struct reader *r, struct operation *o, u8 opcode)
{
    o->size = opcode >= 0x90 ? 1 : size_of(r, opcode);
    take_modrm(r, o, o->size);
}

/* INC and DEC of 32-bit code. */
static void increment(struct reader *r, struct operation *o, u8 opcode)
{
    r->cut |= r->width == 8;
    o->size = size_of(r, 1);
    o->function = opcode < 0x48 ? DO_INC : DO_DEC;
    to_register(o, opcode & 7);
}

static void push_pop(struct reader *r, struct operation *o, u8 opcode)
{
    o->size = r->width;
    o->to = o->from = OPERAND_REGISTER;
    o->to_register = o->from_register = (opcode & 7) | r->base_high;
}

static void push_immediate(struct reader *r, struct operation *o, u8 opcode)
{
    o->size = r->width;
    take_immediate(r, o, opcode == 0x6a ? 1 : 4);
}

/* E8H, E9H and the two-byte opcodes 80H to 8FH have 32-bit distances; the others have 8-bit ones. */
static void branch(struct reader *r, struct operation *o, u8 opcode)
{
    bool near = (opcode & 0xf0) == 0x80 || (opcode & 0xfe) == 0xe8;
    take_immediate(r, o, near ? 4 : 1);
}

static void no_operands(struct reader *r, struct operation *o, u8 opcode)
{
    r->cut |= opcode == 0x90 && r->rex; /* XCHG R8, RAX */
    o->size = size_of(r, 1);
}

/* The opcode tells the flag and its new value. */
static void flag(struct reader *r, struct operation *o, u8 opcode)
{
    r->cut |= r->width != 8;
    o->immediate = opcode;
}

/* String instructions have implicit operands. */
static void string(struct reader *r, struct operation *o, u8 opcode)
{
    static const u8 stos = 0xaa, lods = 0xac;
    r->cut |= r->width != 8 || r->segment;
    o->from = (opcode & 0xfe) == stos ? OPERAND_REGISTER : OPERAND_MEMORY;
    o->to = (opcode & 0xfe) == lods ? OPERAND_REGISTER : OPERAND_MEMORY;
    o->repeated = r->repeat;
}

static const struct row {
    u8 code;
    bool word;                                                      /* may have an operand-size prefix */
    void (*take)(struct reader *r, struct operation *o, u8 opcode); /* NULL: the CPU executes it */
} one_byte[256] = {
    [0x00 ... 0x3f] = {OP_NONE, true, rows},
    [0x40 ... 0x4f] = {OP_ARITHMETIC, true, increment},
    [0x50 ... 0x57] = {OP_PUSH, false, push_pop},
    [0x58 ... 0x5f] = {OP_POP, false, push_pop},
    [0x63] = {OP_MOVE_SIGNED, false, wide_move},
    [0x68] = {OP_PUSH, false, push_immediate},
    [0x69] = {OP_SCALE, true, multiply},
    [0x6a] = {OP_PUSH, false, push_immediate},
    [0x6b] = {OP_SCALE, true, multiply},
    [0x70 ... 0x7f] = {OP_JUMP_IF, false, branch},
    [0x80 ... 0x81] = {OP_NONE, true, group1},
    [0x83] = {OP_NONE, true, group1},
    [0x84 ... 0x85] = {OP_NONE, true, test},
    [0x88 ... 0x8b] = {OP_MOVE, true, move},
    [0x8d] = {OP_LEA, true, address},
    [0x90] = {OP_NOP, true, no_operands},
    [0x98] = {OP_WIDEN, true, no_operands},
    [0x99] = {OP_SPREAD, true, no_operands},
    [0xa4 ... 0xa5] = {OP_STRING, true, string},
    [0xa8 ... 0xa9] = {OP_NONE, true, test},
    [0xaa ... 0xad] = {OP_STRING, true, string},
    [0xb0 ... 0xbf] = {OP_MOVE, true, move_immediate},
    [0xc0 ... 0xc1] = {OP_NONE, true, group2},
    [0xc3] = {OP_RET, false, no_operands},
    [0xc6 ... 0xc7] = {OP_MOVE, true, group11},
    [0xc9] = {OP_LEAVE, false, no_operands},
    [0xd0 ... 0xd3] = {OP_NONE, true, group2},
    [0xe2] = {OP_LOOP, false, branch},
    [0xe3] = {OP_JRCXZ, false, branch},
    [0xe8] = {OP_CALL, false, branch},
    [0xe9] = {OP_JUMP, false, branch},
    [0xeb] = {OP_JUMP, false, branch},
    [0xf5] = {OP_FLAG, false, flag},
    [0xf6 ... 0xf7] = {OP_NONE, true, group3},
    [0xf8 ... 0xf9] = {OP_FLAG, false, flag},
    [0xfc ... 0xfd] = {OP_FLAG, false, flag},
    [0xfe ... 0xff] = {OP_NONE, true, group5},
};

static const struct row two_bytes[256] = {
    [0x00] = {OP_STR, true, store_task},
    [0x1f] = {OP_NOP, true, only_rm},
    [0x31] = {OP_RDTSC, false, no_operands},
    [0x40 ... 0x4f] = {OP_CMOV, true, wide_move},
    [0x80 ... 0x8f] = {OP_JUMP_IF, false, branch},
    [0x90 ... 0x9f] = {OP_SETCC, false, only_rm},
    [0xa3] = {OP_NONE, true, bit_test},
    [0xae] = {OP_FENCE, false, group15},
    [0xaf] = {OP_NONE, true, multiply},
    [0xb6 ... 0xb7] = {OP_MOVE, true, wide_move},
    [0xba] = {OP_NONE, true, group8},
    [0xbe ... 0xbf] = {OP_MOVE_SIGNED, true, wide_move},
};

static void take(struct reader *r, struct operation *o, const struct row *row, u8 opcode)
{
    if (!row->take)
        return;
    o->code = row->code;
    o->size = size_of(r, opcode);
    o->condition = opcode & 15;
    row->take(r, o, opcode);
    r->cut |= r->word && !row->word;
}

/* Only string instructions may be repeated, and none may be locked; FS and GS matter only to operands in memory. */
static struct operation decode_of_width(const u8 *bytes, unsigned count, u8 width)
{
    struct reader r = {.at = bytes, .count = count, .width = width};
    struct operation o = {.code = OP_NONE, .width = width};
    u8 opcode = take_prefixes(&r);
    bool repeats = opcode == 0xa4 || opcode == 0xa5 || (opcode >= 0xaa && opcode <= 0xad);
    r.cut |= r.lock || (r.repeat && !(repeats && r.repeat == 0xf3));
    bool two = opcode == 0x0f;
    opcode = two ? next(&r) : opcode;
    take(&r, &o, &(two ? two_bytes : one_byte)[opcode], opcode);
    if (r.cut)
        o.code = OP_NONE;
    o.length = (u8)r.position;
    o.segment = o.code == OP_LEA || o.code == OP_NOP ? 0 : r.segment;
    return o;
}

struct operation operation_decode(const u8 *bytes, unsigned count)
{
    return decode_of_width(bytes, count, 8);
}

struct operation operation_decode_legacy(const u8 *bytes, unsigned count)
{
    return decode_of_width(bytes, count, 4);
}
