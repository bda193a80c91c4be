/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A block is straight code up to a branch, translated so that the CPU itself can execute it: its instructions are
 * copied, and behind them each way out writes a note that it was taken and continues in the next block if one is linked
 * to it. What happened follows from those notes. Pure but for executing it.
 *
 * Translated are instructions that the interpreter knows and that depend on nothing but registers, flags and memory,
 * and near branches. Of 32-bit code, which becomes 64-bit code, only instructions that do not access memory.
 */
#pragma once

#include "boot/bits.h"
#include "reference/model/model.h"
#include "reference/step/interpreter/interpret.h"

#define BLOCK_INSTRUCTIONS 24 /* in a block, at most */
#define BLOCK_BYTES 112       /* of instructions in a block; a block of longer ones ends earlier */
#define BLOCK_CODE 1536       /* bytes of a translation, at most */
#define BLOCK_NOTES 2048      /* ways out that can be noted in one run */
#define BLOCK_TARGETS 256
#define BLOCK_SITES 8 /* accesses in a block whose memory is seen from outside */

/* A target of indirect branches: its address, negated, and where its translation begins. */
struct block_target {
    u64 minus, link;
};

/*
 * What the monitor and the translations exchange. Offsets known to block.asm. A note is twice the number of the block,
 * plus 1 if its branch was taken. Notes are written downwards; the last one has an address whose lower 16 bits are 0.
 */
struct block_state {
    u64 registers[16];            /* 0: by number */
    u64 rflags;                   /* 128: status flags and DF count */
    u64 note;                     /* 136: address just above the next note */
    u64 target;                   /* 144: target of the last return, or indirect jump or call */
    u64 code;                     /* 152: where to enter the translation */
    u64 leave;                    /* 160: block_leave */
    u64 own_rsp;                  /* 168 */
    u32 faulted;                  /* 176: 1 + number of the block that was left at an instruction; 0: none was */
    u32 faulted_at;               /* number of that instruction */
    u64 stub;                     /* 184: block_stub() */
    u64 link;                     /* 192: used by translations only */
    struct block_target *targets; /* 200: BLOCK_TARGETS of them, by the lowest byte of the target's address */
    u64 flags, kept;              /* used by block_view.c */
    u64 address;                  /* of the access that missed its site's page */
    u64 missed;                   /* 1 + BLOCK_SITES x the block's number + the site's; 0: no access missed */
    u64 segments[2];              /* bases of FS and GS */
};

enum block_end {
    BLOCK_GOES_ON, /* the next instruction cannot be part of it */
    BLOCK_CONDITIONAL,
    BLOCK_JUMP,
    BLOCK_CALL,
    BLOCK_RETURN,
};

/* An access in a block whose memory is seen from outside. */
struct block_site {
    u64 page, where; /* the guest's page of the last access, and that page for the monitor */
    u16 miss_at;     /* offset in the translation: the jump that is taken on another page */
    u8 instruction, size, t;
    bool stores;
};
#define BLOCK_NO_PAGE BIT(63) /* no access hits it */
#define BLOCK_NOWHERE BIT(62)

struct block {
    u64 top, behind;     /* address of the first instruction, and behind the last one */
    u8 count;            /* of instructions; 0: no translation */
    u8 end;              /* enum block_end */
    u8 branch;           /* enum branch_type */
    bool indirect;       /* an indirect jump or call */
    bool touches_memory; /* does it access memory? */
    bool vector;         /* needs vector, MMX or x87 registers to be usable */
    bool vex;            /* needs VEX, too */
    bool viewed;         /* its memory is seen from outside, through */
    u8 site_count;       /* this number of sites */
    struct block_site sites[BLOCK_SITES];
    struct operation closing;           /* the branch, if there is one */
    u64 targets[2];                     /* next address if the branch is not taken, and if it is */
    u64 links[2];                       /* where the translation continues in each case */
    struct model_run counts;            /* of the whole block, but without `taken` and CPL */
    u8 starts[BLOCK_INSTRUCTIONS + 1];  /* offsets of the instructions from `top`; the last is the end */
    u8 access[BLOCK_INSTRUCTIONS];      /* enum memory_access of each */
    u16 places[BLOCK_INSTRUCTIONS + 1]; /* offsets of the instructions in the translation */
    u8 bytes[BLOCK_BYTES];              /* the code that was translated */
};

/*
 * Can this instruction be part of a block? `viewed`: of one whose memory is seen from outside. `ends`: it would be its
 * last.
 */
bool block_takes(const struct operation *o, const u8 *bytes, bool viewed, bool *ends);

/* Straight code, decoded. */
struct block_source {
    u64 top;        /* its address */
    unsigned count; /* of instructions */
    u8 branch;      /* enum branch_type of the last one */
    bool viewed;    /* is memory seen from outside? */
    struct operation body[BLOCK_INSTRUCTIONS];
    u8 access[BLOCK_INSTRUCTIONS]; /* enum memory_access of each */
    u8 bytes[BLOCK_BYTES];
};

/*
 * Translates instructions, all of which block_takes() and only the last of which ends a block, for execution at `at`:
 * as many as there is room for. Its notes carry `number`. `code` has room for BLOCK_CODE bytes. Returns the size of the
 * translation in bytes, or 0 if no block could be made. Its links lead to the stub for now.
 */
unsigned block_translate(struct block *b, unsigned number, const struct block_source *source, u8 *code, u64 at,
                         const struct block_state *state);
/*
 * Writes the code between blocks and the monitor, for execution at `at`, and prepares the state, whose `targets` is
 * already set. `code` has room for BLOCK_STUB bytes. Returns its size in bytes, or 0 if the state is out of reach.
 */
#define BLOCK_STUB 48
unsigned block_stub(struct block_state *state, u8 *code, u64 at);
/*
 * Links a way out to the translation at `code`, of the block at `next`, if that way leads there. Returns the link, or
 * NULL: indirect calls have none, as the monitor makes them.
 */
u64 *block_connect(struct block *b, struct block_state *state, bool taken, u64 next, u64 code);
/* Removes all links by way of the targets. */
void block_forget_targets(struct block_state *state);
/* The value of a link that leads to no block: this offset in the stub. */
#define BLOCK_STUB_OUT 13
static inline u64 block_no_link(const struct block_state *state)
{
    return state->stub + BLOCK_STUB_OUT;
}
/*
 * A block that is only a branch to itself: its effect is calculated, for up to `turns` turns. `counts` is what they
 * count; returns whether the loop was left.
 */
bool block_spins(const struct block *b);
bool block_spin(const struct block *b, struct block_state *state, u32 turns, struct model_run *counts);

/* Adds the first `instructions` of the block, all before its branch; or the whole block `times` times, taken or not. */
void block_count_part(struct model_run *sum, const struct block *b, unsigned instructions);
void block_count(struct model_run *sum, const struct block *b, u32 times, bool taken);

/* Where the block that was executed last leads. */
u64 block_next(const struct block *b, const struct block_state *state, bool taken);
/*
 * Does the part of the last executed block's branch that is left to the monitor: an indirect call stores its return
 * address; a return to an address that is not canonical is undone. False: the branch faults, with RIP still at it.
 * Stores by guest_store().
 */
bool block_branches(const struct block *b, struct block_state *state, bool taken);

/* The number of the instruction that is translated at `offset`; block->count: none is. */
unsigned block_instruction_at(const struct block *b, u64 offset);
/*
 * A fault at `offset` of block `number`'s translation: returns the address where to continue, which leaves the block;
 * the state then tells the instruction that faulted. 0: no instruction is there.
 */
u64 block_faulted(const struct block *b, unsigned number, u64 offset, struct block_state *state);

/* After a block was left at that instruction: restores the register that its access had borrowed. */
void block_give_back(const struct block *b, unsigned instruction, struct block_state *state);

/* ---- block.asm */
/* Executes from state->code on until a way out has no link, or the notes are full. */
void block_enter(struct block_state *state);
/* Where the stub jumps to. */
extern const u8 block_leave[];
