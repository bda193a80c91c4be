/* SPDX-License-Identifier: BSD-2-Clause */
/* The interpreter of instructions: what decoding finds in one, its operation and operands, and executing it. */
#pragma once

#include "boot/bits.h"
#include "boot/cpu.h"
#include "kernel/interrupt/frame.h"
#include "reference/model/model.h"

/* Just enough decoding to step exactly: the kind of an instruction, and its length if the monitor needs it. Pure. */

enum instruction_kind {
    KIND_PLAIN,
    KIND_BRANCH,     /* near: conditional, jump, call, return, LOOP */
    KIND_FAR_BRANCH, /* far jump, call, return */
    KIND_REP_STRING,
    KIND_PUSHF,
    KIND_POPF,
    KIND_X87_POINTERS, /* FNSTENV, FNSAVE */
    KIND_IRETQ,
    KIND_IRET, /* operand sizes other than 64 bit */
    KIND_SYSCALL,
    KIND_SYSRETQ,
    KIND_INT, /* INT n, INT3 */
    KIND_HLT,
    KIND_PAUSE,
    KIND_CPUID,
    KIND_RDMSR,
    KIND_WRMSR,
    KIND_RDPMC,
    KIND_RDTSC,
    KIND_RDTSCP,
    KIND_XBEGIN,
    KIND_XABORT,
    KIND_SHADOW, /* STI, MOV SS, LSS: the next instruction completes before a trap is taken */
};

struct instruction {
    enum instruction_kind kind : 8;
    enum branch_type branch : 8; /* KIND_BRANCH */
    u8 length;                   /* 0 if not needed: kinds that are stepped by the CPU and never jump, or always jump */
    u8 vector;                   /* KIND_INT; KIND_XABORT: its argument */
    bool simple;                 /* nothing to emulate or correct: KIND_PLAIN, KIND_BRANCH, KIND_FAR_BRANCH */
    bool word;                   /* operand size 16: PUSHF, POPF */
};

/* The code segment's default size of operands and addresses. */
enum code_width { CODE_64, CODE_32, CODE_16 };

#define INSTRUCTION_MAX 15
/* Decodes 64-bit code from `bytes`, of which `count` are readable. Unknown or cut instructions are KIND_PLAIN. */
struct instruction decode(const u8 *bytes, unsigned count);
/* The same for code of the other widths. */
struct instruction decode_legacy(const u8 *bytes, unsigned count, enum code_width width);
/* As what the CPU's own execution of it is reported; emulated kinds know better themselves. */
enum retired_kind instruction_retired(const struct instruction *i);

/*
 * The data types of an instruction, by which NetBurst's execution tagging distinguishes uops: single or double
 * precision, packed or scalar, integers in MMX or XMM registers, x87. Pure. 64-bit code only; moves and conversions
 * have none here.
 */

/* Decodes from `bytes`, of which `count` are readable: enum execution. */
u8 execution_decode(const u8 *bytes, unsigned count);

/*
 * Memory operands of the most common instructions, for counting loads and stores and for what PEBS records say of them.
 * Pure. 64-bit code only. Known are MOV, MOVZX, MOVSX, MOVSXD, XCHG, the eight arithmetic instructions, TEST, INC, DEC,
 * IMUL and moves of XMM registers with an explicit operand, and PUSH, POP, PUSHF, POPF, near CALL and RET, LEAVE and
 * the string instructions except IN and OUT. Of two addresses the explicit one is taken, of two strings the source.
 * Unknown are operands relative to FS or GS or with 32-bit addresses, and stack accesses of interrupts and far
 * transfers.
 */

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

/*
 * The instructions that the monitor can execute itself, decoded: those that compilers generate and counted blocks
 * consist of. All others, and whatever could fault or be observed from outside, are left to the CPU. Pure.
 */

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
    OP_COPY,   /* the CPU executes a copy of it */
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

/* How the CPU executes an OP_COPY. */
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

/*
 * As operation_decode() does; an instruction that the interpreter does not know becomes an OP_COPY, or OP_NONE if it
 * cannot be copied.
 */
struct operation operation_or_copy_decode(const u8 *bytes, unsigned count);

/* The general registers of a copy, and its status flags as they are packed above. Offsets known to copy.asm. */
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

/*
 * Executes an instruction on a frame of saved registers, in place of the CPU. What faults, and accesses to one page,
 * are left to the CPU. Pure but for guest memory, which the caller supplies.
 */

#define FRAME_WORD(member) (u8)(offsetof(struct frame, member) / sizeof(u64))

/* Where the general register with this number, 0 to 15, is in a frame: its index among the frame's words. */
static inline unsigned frame_place(unsigned number)
{
    static const u8 places[16] = {FRAME_WORD(rax), FRAME_WORD(rcx), FRAME_WORD(rdx), FRAME_WORD(rbx),
                                  FRAME_WORD(rsp), FRAME_WORD(rbp), FRAME_WORD(rsi), FRAME_WORD(rdi),
                                  FRAME_WORD(r8),  FRAME_WORD(r9),  FRAME_WORD(r10), FRAME_WORD(r11),
                                  FRAME_WORD(r12), FRAME_WORD(r13), FRAME_WORD(r14), FRAME_WORD(r15)};
    return places[number & 15];
}

static inline u64 *frame_register(struct frame *f, unsigned number)
{
    return (u64 *)f + frame_place(number);
}

static inline u64 frame_value(const struct frame *f, unsigned number)
{
    return ((const u64 *)f)[frame_place(number)];
}

/* The lowest bits of so many bytes: 1, 2, 4 or 8. */
static inline u64 size_mask(unsigned size)
{
    static const u64 masks[9] = {[1] = 0xff, [2] = 0xffff, [4] = 0xffffffff, [8] = ~0ull};
    return masks[size];
}

/* A value of so many bytes, sign-extended. */
static inline s64 sign_extended(u64 value, unsigned size)
{
    unsigned unused = 64 - 8 * size;
    return (s64)(value << unused) >> unused;
}

/* Sets so many bytes of it: 32-bit results clear the upper half of their register, smaller ones keep the rest. */
static inline void frame_set(struct frame *f, unsigned number, u64 value, unsigned size)
{
    static const u64 kept[9] = {[1] = ~0xffull, [2] = ~0xffffull};
    u64 *r = frame_register(f, number);
    *r = (*r & kept[size]) | (value & size_mask(size));
}

/* The next instruction follows. */
static inline bool operation_done(const struct operation *o, struct frame *f)
{
    f->rip += o->length;
    if (o->width == 4)
        f->rip = (u32)f->rip;
    return true;
}

/* Linear address of the operand in memory, before the instruction at f->rip executes. */
u64 operation_address(const struct operation *o, struct frame *f);
/* Is it a canonical address? A jump to any other faults, with RIP still at the jump. */
static inline bool is_canonical(u64 address)
{
    return (u64)((s64)(address << 16) >> 16) == address;
}

/* ---- Guest memory: 1, 2, 4 or 8 bytes in one access; false if it faults, or must be left to the CPU. */
bool guest_load(u64 *value, u64 address, u64 size);
bool guest_store(u64 address, u64 value, u64 size);
/*
 * Finds where the monitor can access the `size` bytes at `address`; false if the CPU must make the access. It may still
 * fault.
 */
bool guest_reach(u64 *where, u64 address, u64 size, bool store);
/*
 * Repeats of MOVS and STOS upwards, where guest_reach() leads, within one page on each side: `size` is 1, 2, 4 or 8
 * bytes. False if the first one faults, or the CPU must make the access; then nothing is stored.
 */
bool guest_move(u64 to, u64 from, u64 count, u64 size);
bool guest_fill(u64 to, u64 value, u64 count, u64 size);
/* Executes a copy; false if it faults, or must be left to the CPU. */
bool guest_copied(const struct copy *copy, struct copy_state *state);
/* Base of FS or GS, by the segment's prefix. */
u64 guest_segment(u8 prefix);
/* The results of RDTSC and STR. */
u64 guest_rdtsc(void);
u64 guest_task(void);

/*
 * Executes `o`, the instruction at f->rip, at the frame's privilege level. True: RIP is behind it or at the jump's
 * target, or unchanged if it is repeated and has iterations left. False: nothing has changed, and the CPU must execute
 * it. Operands in the 4 KiB page at `watched` are not accessed.
 */
bool interpret(const struct operation *o, struct frame *f, u64 watched);
/* What does so, for an instruction that is executed more than once. */
typedef bool (*execution)(const struct operation *o, struct frame *f, u64 watched);
execution execution_of(const struct operation *o);
/* The one for arithmetic whose operands are registers, but AH to BH, or immediate. */
execution arithmetic_of(const struct operation *o);

/*
 * Integer arithmetic with its flags, by the CPU's own instructions, so that results and flags are what they would have
 * been. Pure.
 */

/*
 * a `function` b on operands of `size` bytes (1, 2, 4, 8); updates the status flags in *rflags. Bits of the result
 * above its size are undefined. Not for DO_MUL_WIDE, DO_IMUL_WIDE.
 */
u64 arithmetic(enum function function, unsigned size, u64 a, u64 b, u64 *rflags);
/* Double-width product of *low and b into *low and *high; size 2, 4 or 8. */
void arithmetic_wide(enum function function, unsigned size, u64 *low, u64 *high, u64 b, u64 *rflags);
/* The status flags as LAHF and SETO leave them in AH and AL: saved and restored by code around an instruction. */
u32 flags_pack(u64 rflags);
void flags_unpack(u32 flags, u64 *rflags);
/* Does the condition of Jcc, SETcc or CMOVcc (the opcode's low four bits) hold? SDM 1, appendix "EFLAGS Condition
 * Codes". */
static inline bool condition_holds(unsigned condition, u64 rflags)
{
    enum { CARRY = 1 << 0, PARITY = 1 << 2, ZERO = 1 << 6, SIGN = 1 << 7, OVERFLOW = 1 << 11 };
    static const u16 flags[8] = {OVERFLOW, CARRY, ZERO, CARRY | ZERO, SIGN, PARITY, 0, ZERO};
    bool less = (condition & 15) >= 12 && !(rflags & SIGN) != !(rflags & OVERFLOW);
    return (less || rflags & flags[condition >> 1 & 7]) != (condition & 1);
}

/* ---- What a stepper keeps of an instruction, so that it is decoded once. */

#define DECODED 8192 /* of them, by a hash of their addresses */
struct decoded {
    u64 rip; /* 0: none */
    u64 bytes[2];
    execution execute; /* the operation */
    struct operation operation;
    struct operand operand;
    struct instruction instruction;
    u8 execution;
    bool steady; /* at this address there is never another one */
};

static inline struct decoded *decoded_place(struct decoded places[DECODED], u64 rip)
{
    return &places[(rip ^ rip >> 13) % DECODED];
}
