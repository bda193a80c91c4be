/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs of a few snippets from which blocks are made: random code and initial register values. */
#pragma once

#include "hosting/test/monitor/block_rig.h"
#include "reference/test/step/any_stack.h"

#define SNIPPETS 10
#define SNIPPET 256 /* bytes of each */

static u64 snippet(void)
{
    return (u64)base + GUEST_AT + SNIPPET * (draw() % SNIPPETS);
}

/* An address to which a branch may lead, a small number, or any canonical address. */
static u64 value(void)
{
    return draw() % 3 == 0 ? snippet() : draw() % 2 ? draw() % 100 : (draw() | MASK(63, 47));
}

static inline void draw_state(struct frame *f)
{
    memset(f, 0, sizeof(*f));
    for (unsigned i = 0; i < 16; i++)
        *frame_register(f, i) = draw() % 4   ? elsewhere + (u64)area + 64 + draw() % (AREA - 128)
                                : draw() % 3 ? draw() % 200
                                             : (draw() | MASK(63, 47));
    for (unsigned i = 0; i < 16 && legacy; i++)
        *frame_register(f, i) = i < 8 ? (u32)*frame_register(f, i) : 0;
    f->rflags = (draw() & STATUS_FLAGS) | 2;
    f->rip = (u64)base + GUEST_AT;
    for (unsigned i = 8; i < 16 && !legacy; i += 7)
        *frame_register(f, i) = draw() % 2 ? snippet() : *frame_register(f, i);
    f->rbx = draw() % 2 && !legacy ? snippet() : f->rbx;
}

/* Opcodes of straight code, most of them in several forms. */
static const u8 opcodes[][2] = {
    {0x41},       {0x4d},       {0x01},       {0x03},       {0x09},       {0x11},       {0x13},       {0x19},
    {0x21},       {0x29},       {0x2b},       {0x31},       {0x33},       {0x39},       {0x3b},       {0x50},
    {0x55},       {0x58},       {0x5b},       {0x63},       {0x69},       {0x6a},       {0x6b},       {0x80},
    {0x81},       {0x83},       {0x84},       {0x85},       {0x88},       {0x89},       {0x8a},       {0x8b},
    {0x8d},       {0x90},       {0x98},       {0x99},       {0xa8},       {0xb0},       {0xb9},       {0xc1},
    {0xc7},       {0xd1},       {0xd3},       {0xf6},       {0xf7},       {0xfe},       {0xff},       {0x0f, 0x1f},
    {0x0f, 0x44}, {0x0f, 0x4d}, {0x0f, 0x92}, {0x0f, 0x95}, {0x0f, 0xaf}, {0x0f, 0xb6}, {0x0f, 0xbe}, {0x0f, 0xba},
    {0x0f, 0xae}, {0x87},       {0xa4},       {0xab},       {0xad},       {0xf5},       {0xf9},       {0xfc},
    {0xfd},
};

static unsigned draw_bytes(u8 bytes[16])
{
    static const u8 rex[] = {0, 0x48, 0x49, 0x4c, 0x4d, 0x41};
    const u8 *opcode = opcodes[draw() % ARRAY_SIZE(opcodes)];
    unsigned n = 0;
    if (draw() % 8 == 0)
        bytes[n++] = 0x66;
    if (!legacy && draw() % 3)
        bytes[n++] = rex[draw() % ARRAY_SIZE(rex)];
    bytes[n++] = opcode[0];
    if (opcode[0] == 0x0f)
        bytes[n++] = opcode[1];
    for (unsigned i = n; i < 16; i++)
        bytes[i] = (u8)draw();
    if (draw() % (legacy ? 8 : 2))
        bytes[n] |= 0xc0; /* registers */
    else if (draw() % 2)
        bytes[n] = (u8)((bytes[n] & 0x3f) | 0x40); /* memory, with a short displacement */
    else if (draw() % 2)
        bytes[n] = (u8)((bytes[n] & 0x38) | 5); /* relative to RIP */
    return n + 1;
}

static bool straight(const struct operation *o, const u8 *bytes)
{
    bool ends, exchange = o->code == OP_COPY && !o->copy.vector && (bytes[0] & 0xfe) == 0x86;
    return block_takes(o, bytes, viewed, &ends) && !ends && (o->code != OP_COPY || exchange);
}

/* A displacement relative to RIP that leads into the area, for an instruction at `rip`. */
static void aim(u8 *bytes, const struct operation *o, unsigned displacement_at, u64 rip)
{
    if (o->base != REGISTER_RIP || (o->to != OPERAND_MEMORY && o->from != OPERAND_MEMORY))
        return;
    s32 displacement = (s32)(elsewhere + (u64)area + draw() % (AREA - 8) - rip - o->length);
    memcpy(bytes + displacement_at, &displacement, 4);
}

static u8 *put_operation(u8 *at, const u8 *bytes)
{
    memcpy(at, bytes, INSTRUCTION_BYTES);
    return at + take_apart((u64)at).length;
}

/* Does it leave flags undefined? Two forms of one instruction may then differ. */
static bool leaves_flags_open(const struct operation *o)
{
    bool calculates = o->code == OP_ARITHMETIC || o->code == OP_COMPARE;
    bool shifts = o->function >= DO_ROL && o->function <= DO_SAR;
    return o->code == OP_MULTIPLY || o->code == OP_SCALE ||
           (calculates && (shifts || o->function == DO_IMUL || o->function == DO_BT));
}

#define REGISTER_RSP 4

/* Is RSP one of its operands, beside the base of an address? Pushes and calls, which move it a little, are none. */
static bool names_stack(const struct operation *o)
{
    const struct copy *c = &o->copy;
    bool copied = o->code == OP_COPY && (c->rsi == REGISTER_RSP || c->rdi == REGISTER_RSP || c->r8 == REGISTER_RSP);
    return copied || (o->to == OPERAND_REGISTER && o->to_register == REGISTER_RSP) ||
           (o->from == OPERAND_REGISTER && o->from_register == REGISTER_RSP);
}

static bool wanted(const struct operation *o, const u8 *bytes)
{
    return straight(o, bytes) && !(only_canonical_stacks() && names_stack(o)) &&
           !(draw() % 4 && (o->code == OP_PUSH || o->code == OP_POP));
}

static u8 *draw_straight(u8 *at)
{
    static const u8 compare_eax[16] = {0x39, 0xc0};
    u8 bytes[16];
    struct operation o;
    unsigned displacement_at;
    do {
        displacement_at = draw_bytes(bytes);
        o = take_apart((u64)bytes);
    } while (!wanted(&o, bytes));
    aim(bytes, &o, displacement_at, (u64)at);
    at = put_operation(at, bytes);
    return leaves_flags_open(&o) ? put_operation(at, compare_eax) : at;
}

/* With a displacement of 32 bits. */
static u8 *put_far(u8 *at, const u8 *opcode, unsigned count)
{
    u8 bytes[INSTRUCTION_BYTES] = {0};
    s32 distance = (s32)(snippet() - (u64)at - count - 4);
    memcpy(bytes, opcode, count);
    memcpy(bytes + count, &distance, 4);
    return put_operation(at, bytes);
}

/* Most branches lead to another snippet; LOOP and JRCXZ back to their own. */
static u8 *draw_condition(u8 *at, const u8 *top)
{
    static const u8 counted[][INSTRUCTION_BYTES] = {{0xff, 0xc9}, {0x49, 0xff, 0xcf}, {0x48, 0x83, 0xe9, 0x03}};
    u8 jcc[] = {0x0f, (u8)(0x80 | draw() % 16)};
    u8 bytes[INSTRUCTION_BYTES] = {draw() % 2 ? 0xe2 : 0xe3};
    if (draw() % 3 == 0)
        at = put_operation(at, counted[draw() % ARRAY_SIZE(counted)]);
    if (draw() % 3 || at - top > 120)
        return put_far(at, jcc, 2);
    bytes[1] = (u8)(top - at - 2);
    return put_operation(at, bytes);
}

static u8 *draw_end(u8 *at)
{
    static const u8 indirect[][INSTRUCTION_BYTES] = {
        {0x41, 0xff, 0xe7},          /* jmp r15 */
        {0xff, 0xe3},                /* jmp rbx */
        {0x41, 0xff, 0xd7},          /* call r15 */
        {0x44, 0xff, 0xe3},          /* jmp rbx, with REX.R */
        {0xff, 0xd3},                /* call rbx */
        {0x41, 0xff, 0x54, 0x24, 8}, /* call [r12 + 8] */
        {0xff, 0x64, 0xcd, 0xf8},    /* jmp [rbp + rcx * 8 - 8] */
        {0xff, 0x21},                /* jmp [rcx] */
        {0xc3},
        {0xc3},
        {0xf3, 0xc3},
    };
    static const u8 call[] = {0xe8}, jump[] = {0xe9};
    u64 kind = draw() % 4;
    if (kind == 0 && !legacy)
        return put_operation(at, indirect[draw() % ARRAY_SIZE(indirect)]);
    return put_far(at, kind == 1 && !legacy ? call : jump, 1);
}

static inline void draw_code(void)
{
    memset(base, 0xcc, PAGE);
    for (u8 *top = base + GUEST_AT, *end = top + SNIPPETS * SNIPPET; top < end; top += SNIPPET) {
        u8 *at = top;
        for (u64 length = draw() % 6; length; length--)
            at = draw_straight(at);
        if (draw() % 2)
            at = draw_condition(at, top);
        for (u64 length = draw() % 3; length; length--)
            at = draw_straight(at);
        draw_end(at);
    }
    block_forget_targets(&near->state);
    known = 0;
}
