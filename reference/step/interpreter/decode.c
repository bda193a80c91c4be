/* SPDX-License-Identifier: BSD-2-Clause */
/* Just enough decoding to step exactly: the kind of an instruction, and its length if the monitor needs it. */
#include "reference/step/interpreter/interpret.h"

/* The instruction's bytes and a position; a byte past the end reads as 90H, which decodes as NOP. */
struct bytes {
    const u8 *at;
    unsigned count, position;
    enum code_width width;
};

struct prefixes {
    bool repeat, pause, word, wide;
    bool address16; /* memory operands are 16-bit ones: SDM 2A, "Addressing-Mode Encoding of ModR/M and SIB Bytes" */
};

static u8 peek(const struct bytes *b, unsigned ahead)
{
    return b->position + ahead < b->count ? b->at[b->position + ahead] : 0x90;
}

/* The prefixes of operand and address size choose the size that is not the code's default. */
static struct prefixes take_prefixes(struct bytes *b)
{
    bool narrow = b->width == CODE_16;
    struct prefixes p = {.word = narrow, .address16 = narrow};
    for (; b->position < INSTRUCTION_MAX - 1; b->position++) {
        u8 byte = peek(b, 0);
        switch (byte) {
        case 0xf3:
            p.pause = true;
            p.repeat = true;
            continue;
        case 0xf2:
            p.repeat = true;
            continue;
        case 0x66:
            p.word = !narrow;
            continue;
        case 0x67:
            p.address16 = b->width == CODE_32;
            continue;
        case 0x26:
        case 0x2e:
        case 0x36:
        case 0x3e:
        case 0x64:
        case 0x65:
        case 0xf0:
            continue;
        }
        if (b->width != CODE_64 || (byte & 0xf0) != 0x40)
            break;
        p.wide = byte & 8;      /* REX.W; a REX prefix is the last one */
        p.pause &= !(byte & 1); /* with REX.B, 90H is XCHG R8, RAX */
        b->position++;
        break;
    }
    return p;
}

/* Bytes of ModRM, SIB and displacement. */
static u8 modrm_length(const struct bytes *b, unsigned ahead, bool address16)
{
    u8 modrm = peek(b, ahead), mod = modrm >> 6, rm = modrm & 7;
    if (mod == 3)
        return 1;
    if (address16)
        return mod == 1 ? 2 : mod == 2 || rm == 6 ? 3 : 1;
    u8 sib = rm == 4;
    u8 base = sib ? peek(b, ahead + 1) & 7 : rm;
    u8 displacement = mod == 1 ? 1 : mod == 2 || base == 5 ? 4 : 0;
    return (u8)(1 + sib + displacement);
}

static struct instruction of(enum instruction_kind kind, unsigned length)
{
    return (struct instruction){.kind = kind, .length = (u8)length, .simple = kind <= KIND_FAR_BRANCH};
}

static struct instruction branch(enum branch_type type, unsigned length)
{
    struct instruction i = of(KIND_BRANCH, length);
    i.branch = type;
    return i;
}

static struct instruction decode_two_byte(const struct bytes *b, struct prefixes p)
{
    u8 opcode = peek(b, 1);
    unsigned length = b->position + 2;
    if ((opcode & 0xf0) == 0x80)
        return branch(BRANCH_CONDITIONAL, length + (p.word ? 2 : 4));
    switch (opcode) {
    case 0x05:
        return of(KIND_SYSCALL, length);
    case 0x07:
        return p.wide ? of(KIND_SYSRETQ, length) : of(KIND_FAR_BRANCH, 0);
    case 0x34: /* SYSENTER, SYSEXIT */
    case 0x35:
        return of(KIND_FAR_BRANCH, 0);
    case 0x01:
        return peek(b, 2) == 0xf9 ? of(KIND_RDTSCP, length + 1) : of(KIND_PLAIN, 0);
    case 0x30:
        return of(KIND_WRMSR, length);
    case 0x31:
        return of(KIND_RDTSC, length);
    case 0x32:
        return of(KIND_RDMSR, length);
    case 0x33:
        return of(KIND_RDPMC, length);
    case 0xa2:
        return of(KIND_CPUID, length);
    case 0xb2:
        return of(KIND_SHADOW, length + modrm_length(b, 2, p.address16));
    }
    return of(KIND_PLAIN, 0);
}

static bool is_string(u8 opcode)
{
    return (opcode >= 0x6c && opcode <= 0x6f) || (opcode >= 0xa4 && opcode <= 0xa7) ||
           (opcode >= 0xaa && opcode <= 0xaf);
}

/* FF /2, /4: near call and jump; /3, /5: far ones. */
static struct instruction decode_group5(const struct bytes *b)
{
    switch (peek(b, 1) >> 3 & 7) {
    case 2:
        return branch(BRANCH_CALL_INDIRECT, 0);
    case 4:
        return branch(BRANCH_JUMP_INDIRECT, 0);
    case 3:
    case 5:
        return of(KIND_FAR_BRANCH, 0);
    }
    return of(KIND_PLAIN, 0);
}

/* Length 0: the branch is always taken, so its length does not matter. */
static struct instruction decode_branch(const struct bytes *b, u8 opcode)
{
    if ((opcode & 0xf0) == 0x70 || (opcode >= 0xe0 && opcode <= 0xe3))
        return branch(BRANCH_CONDITIONAL, b->position + 2);
    switch (opcode) {
    case 0xc2:
    case 0xc3:
        return branch(BRANCH_RETURN, 0);
    case 0xe8:
        return branch(BRANCH_CALL, 0);
    case 0xe9:
    case 0xeb:
        return branch(BRANCH_JUMP, 0);
    case 0xca:
    case 0xcb:
        return of(KIND_FAR_BRANCH, 0);
    case 0xff:
        return decode_group5(b);
    }
    return of(KIND_PLAIN, 0);
}

static struct instruction decode_one_byte(struct bytes b, struct prefixes p)
{
    u8 opcode = peek(&b, 0);
    struct instruction i;
    if (p.repeat && is_string(opcode))
        return of(KIND_REP_STRING, 0);
    switch (opcode) {
    case 0x0f:
        return decode_two_byte(&b, p);
    case 0x8e:
        return (peek(&b, 1) >> 3 & 7) == 2 ? of(KIND_SHADOW, b.position + 1 + modrm_length(&b, 1, p.address16))
                                           : of(KIND_PLAIN, 0);
    case 0x90:
        return p.pause ? of(KIND_PAUSE, b.position + 1) : of(KIND_PLAIN, 0);
    case 0x9c:
    case 0x9d:
        i = of(opcode == 0x9c ? KIND_PUSHF : KIND_POPF, b.position + 1);
        i.word = p.word;
        return i;
    case 0xc6:
        i = peek(&b, 1) == 0xf8 ? of(KIND_XABORT, b.position + 3) : of(KIND_PLAIN, 0);
        i.vector = peek(&b, 2);
        return i;
    case 0xc7:
        return peek(&b, 1) == 0xf8 ? of(KIND_XBEGIN, b.position + 2 + (p.word ? 2 : 4)) : of(KIND_PLAIN, 0);
    case 0xcc:
    case 0xcd:
        i = of(KIND_INT, b.position + (opcode == 0xcc ? 1 : 2));
        i.vector = opcode == 0xcc ? 3 : peek(&b, 1);
        return i;
    case 0xcf:
        return p.wide ? of(KIND_IRETQ, b.position + 1) : of(KIND_IRET, 0);
    case 0xd9:
    case 0xdd:
        return (peek(&b, 1) & 0x38) == 0x30 && peek(&b, 1) < 0xc0 ? of(KIND_X87_POINTERS, 0) : of(KIND_PLAIN, 0);
    case 0xf4:
        return of(KIND_HLT, b.position + 1);
    case 0xfb:
        return of(KIND_SHADOW, b.position + 1);
    }
    return decode_branch(&b, opcode);
}

struct instruction decode(const u8 *bytes, unsigned count)
{
    struct bytes b = {bytes, count, 0, CODE_64};
    struct prefixes p = take_prefixes(&b);
    return decode_one_byte(b, p);
}

struct instruction decode_legacy(const u8 *bytes, unsigned count, enum code_width width)
{
    struct bytes b = {bytes, count, 0, width};
    struct prefixes p = take_prefixes(&b);
    switch (peek(&b, 0)) {
    case 0x0f:
        if (peek(&b, 1) == 0x05 || peek(&b, 1) == 0x07) /* SYSCALL, SYSRET: not emulated outside 64-bit code */
            return of(KIND_FAR_BRANCH, 0);
        break;
    case 0x17: /* POP SS */
        return of(KIND_SHADOW, b.position + 1);
    case 0x9a:
    case 0xea:
        return of(KIND_FAR_BRANCH, 0);
    }
    return decode_one_byte(b, p);
}

enum retired_kind instruction_retired(const struct instruction *i)
{
    switch (i->kind) {
    case KIND_BRANCH:
        return RETIRED_BRANCH;
    case KIND_FAR_BRANCH:
        return RETIRED_FAR_BRANCH;
    case KIND_IRET:
        return RETIRED_IRET;
    case KIND_REP_STRING:
        return RETIRED_REP_STRING;
    case KIND_HLT:
        return RETIRED_HLT;
    default:
        return RETIRED_PLAIN;
    }
}
