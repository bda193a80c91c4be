/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The instructions that the monitor can execute itself, decoded: those that compilers generate and counted blocks
 * consist of. All others, and whatever could fault or be observed from outside, are left to the CPU. Pure.
 */
#pragma once

#include "boot/bits.h"

enum operation_code {
    OP_NONE, /* none of these: the CPU executes it */
    OP_NOP,
    OP_MOVE,
    OP_MOVE_SIGNED, /* from a narrower operand */
    OP_LEA,
    OP_CMOV,
    OP_SETCC,
    OP_ARITHMETIC, /* to = to function from */
    OP_COMPARE,    /* the same, but only sets flags */
    OP_SCALE,      /* to = from * immediate */
    OP_MULTIPLY,   /* RDX:RAX = RAX * to */
    OP_WIDEN,      /* CBW, CWDE, CDQE */
    OP_SPREAD,     /* CWD, CDQ, CQO */
    OP_FLAG,       /* CMC, CLC, STC, CLD, STD */
    OP_PUSH,
    OP_POP,
    OP_LEAVE,
    OP_JUMP,
    OP_JUMP_IF,
    OP_LOOP,
    OP_JRCXZ,
    OP_CALL,
    OP_RET,
    OP_FENCE,
    OP_RDTSC,
    OP_STR,
    OP_STRING, /* MOVS, STOS, LODS, or iterations of them */
    OP_COPY,   /* the CPU executes a copy of it: copy.h */
};

/* What OP_ARITHMETIC, OP_COMPARE and OP_MULTIPLY do. In the manual's order: opcodes by row, then groups 2 and 3. */
enum function {
    DO_ADD,
    DO_OR,
    DO_ADC,
    DO_SBB,
    DO_AND,
    DO_SUB,
    DO_XOR,
    DO_CMP,
    DO_ROL,
    DO_ROR,
    DO_RCL,
    DO_RCR,
    DO_SHL,
    DO_SHR,
    DO_SAL,
    DO_SAR,
    DO_TEST,
    DO_INC,
    DO_DEC,
    DO_NOT,
    DO_NEG,
    DO_IMUL,
    DO_BT,
    DO_MUL_WIDE,
    DO_IMUL_WIDE,
    FUNCTIONS
};

enum operand_kind { OPERAND_NONE, OPERAND_REGISTER, OPERAND_MEMORY, OPERAND_IMMEDIATE };

#define NO_REGISTER 16
#define REGISTER_RIP 17
#define ADDRESS_IN_RDI 18 /* in a copy, the stand-in RDI is the address of the memory operand */

#define INSTRUCTION_BYTES 15 /* at most */
#define COPY_BYTES 8

/* How the CPU executes an OP_COPY: copy.h. */
struct copy {
    u8 bytes[COPY_BYTES], length;
    u8 rsi, rdi, r8;  /* numbers of the guest's registers that are in RSI, RDI and R8, or NO_REGISTER */
    u8 reach;         /* bytes of the memory operand, at most */
    bool stores;      /* does it write to memory? */
    u8 bits;          /* bytes of an operand in memory that a register numbers a bit of; 0: none */
    u8 bit_register;  /* that register in the copy: RAX, RCX, RDX or RSI */
    bool vector, vex; /* needs vector, MMX or x87 registers to be usable; VEX, too */
};

struct operation {
    u8 code, function;  /* enum operation_code, enum function */
    u8 size, from_size; /* bytes: 1, 2, 4, 8 */
    u8 length;          /* of the instruction */
    u8 width;           /* of addresses, stack slots and jump targets: 8, or 4 in 32-bit code */
    u8 condition;       /* of Jcc, SETcc, CMOVcc: the opcode's low four bits */
    u8 to, from;        /* enum operand_kind; at most one is memory */
    u8 to_register, from_register;
    bool to_high, from_high; /* AH to BH, as registers 4 to 7: then no operand is memory */
    u8 base, index, shift;   /* the memory operand: base + (index << shift) + displacement */
    u8 displacement_at;      /* offset of the displacement in the instruction */
    u8 segment;              /* the prefix of FS or GS; 0: a segment whose base is 0 */
    s32 displacement;
    s64 immediate; /* sign-extended; for branches, the distance */
    bool repeated; /* OP_STRING: has REP */
    struct copy copy;
};

/* Decodes the 64-bit instruction in the first `count` of `bytes`; its code is OP_NONE if the monitor cannot execute it.
 * */
struct operation operation_decode(const u8 *bytes, unsigned count);
/* The same for 32-bit code. */
struct operation operation_decode_legacy(const u8 *bytes, unsigned count);

/* Does it name a memory operand? LEA and NOP do not access theirs. */
static inline bool operation_names_memory(const struct operation *o)
{
    return o->to == OPERAND_MEMORY || o->from == OPERAND_MEMORY;
}

/* Does it push or pop? */
static inline bool operation_on_stack(const struct operation *o)
{
    return (o->code >= OP_PUSH && o->code <= OP_LEAVE) || o->code == OP_CALL || o->code == OP_RET;
}

/* Does it read or write memory? */
static inline bool operation_accesses(const struct operation *o)
{
    return operation_on_stack(o) || (operation_names_memory(o) && o->code != OP_LEA && o->code != OP_NOP);
}

/* Is this byte of 64-bit code a REX prefix? */
static inline bool is_rex(u8 byte)
{
    return (byte & 0xf0) == 0x40;
}
