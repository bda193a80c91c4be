/*
 * A block, straight code up to a branch, translated so that the CPU itself executes it: its instructions are copied,
 * and behind them each way out notes that it was taken and goes on to the block that comes next, if that is linked to
 * it. What happened follows from those notes. Pure but for executing it.
 *
 * Translated are instructions that operation.h knows and that look at nothing but registers, flags and memory, and near
 * branches. Of 32-bit code, which is translated to 64-bit code, only what leaves memory alone.
 */
#pragma once

#include "boot/bits.h"
#include "pmu/reference/model/model.h"
#include "pmu/reference/monitor/interpreter/operation.h"

#define BLOCK_INSTRUCTIONS 24 /* of a block, at most */
#define BLOCK_BYTES 112       /* of the instructions; longer ones end it earlier */
#define BLOCK_CODE 1536       /* of its translation, at most */
#define BLOCK_NOTES 2048      /* of ways out, that there is room for */
#define BLOCK_TARGETS 256
#define BLOCK_SITES 8 /* accesses of a block whose memory is seen from outside */

/* An address, negated, and where the translation of what is there begins. */
struct block_target {
    u64 minus, link;
};

/*
 * What passes between the monitor and the translations. Offsets known to block.asm. A note is the number of the block,
 * twice, and one more where its branch was taken; they are written downwards, the last one where the lower 16 bits of
 * the address are 0.
 */
struct block_state {
    u64 registers[16];            /* 0: by number */
    u64 rflags;                   /* 128: status flags and DF count */
    u64 note;                     /* 136: behind the place of the next note */
    u64 target;                   /* 144: where a return, or an indirect jump or call, went */
    u64 code;                     /* 152: the translation to begin with */
    u64 leave;                    /* 160: block_leave */
    u64 own_rsp;                  /* 168 */
    u32 faulted;                  /* 176: 1 + the number of the block that was left at an instruction, 0: none was; */
    u32 faulted_at;               /* that instruction */
    u64 stub;                     /* 184: block_stub() */
    u64 link;                     /* 192: of the translation's own */
    struct block_target *targets; /* 200: BLOCK_TARGETS of them, for returns and indirect jumps, by the lowest byte */
    u64 flags, kept;              /* of block_view.c */
    u64 address;                  /* that was met where no page is known */
    u64 missed;                   /* by 1 + BLOCK_SITES x a block's number + its site; 0: by none */
    u64 segments[2];              /* where FS and GS begin */
};

enum block_end {
    BLOCK_GOES_ON, /* with an instruction that is no part of it */
    BLOCK_CONDITIONAL,
    BLOCK_JUMP,
    BLOCK_CALL,
    BLOCK_RETURN,
};

/* An access from a block whose memory is seen from outside. */
struct block_site {
    u64 page, where; /* the page that it met last, and where that is for the monitor */
    u16 miss_at;     /* in the translation: where it leads if it meets another */
    u8 instruction, size, t;
    bool stores;
};
#define BLOCK_NO_PAGE BIT(63) /* what is found there is nowhere */
#define BLOCK_NOWHERE BIT(62)

struct block {
    u64 top, behind;     /* addresses of its first instruction, and behind its last one */
    u8 count;            /* of instructions; 0: no translation */
    u8 end;              /* enum block_end */
    u8 branch;           /* enum branch_type */
    bool indirect;       /* the branch, and not a return */
    bool touches_memory; /* does it access memory? */
    bool vector;         /* needs vector, MMX or x87 registers to be usable */
    bool vex;            /* needs VEX, too */
    bool viewed;         /* its memory is seen from outside, through */
    u8 site_count;       /* so many sites */
    struct block_site sites[BLOCK_SITES];
    struct operation closing;           /* the branch, if there is one */
    u64 targets[2];                     /* what comes next, if the branch is not taken and if it is */
    u64 links[2];                       /* where the translation then goes on */
    struct model_run counts;            /* of the whole, but `taken`, at no privilege level */
    u8 starts[BLOCK_INSTRUCTIONS + 1];  /* instructions by distance from `top`; the last is the end */
    u8 access[BLOCK_INSTRUCTIONS];      /* enum memory_access of each */
    u16 places[BLOCK_INSTRUCTIONS + 1]; /* where each stands in the translation */
    u8 bytes[BLOCK_BYTES];              /* what was translated */
};

/*
 * Can this instruction be part of a block, one whose memory is seen from outside or another? `ends`: it is the last one
 * then.
 */
bool block_takes(const struct operation *o, const u8 *bytes, bool viewed, bool *ends);

/* Straight code as it stands. */
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
 * Translates instructions all of which block_takes(), and only the last of which ends a block, for execution at `at`:
 * as many as there is room for. `number` is what it notes. `code` has room for BLOCK_CODE bytes. Returns how many it
 * takes, or 0 if there is no such block. Its links are not made: they lead to the stub.
 */
unsigned block_translate(struct block *b, unsigned number, const struct block_source *source, u8 *code, u64 at,
                         const struct block_state *state);
/*
 * Makes the code between blocks and the monitor, for execution at `at`, and prepares the state, which has its targets.
 * `code` has room for BLOCK_STUB bytes. Returns how many it takes, or 0 if the state is out of reach.
 */
#define BLOCK_STUB 48
unsigned block_stub(struct block_state *state, u8 *code, u64 at);
/*
 * Links a way out to the translation at `code`, of the block that comes next if it has led there. Returns the link that
 * was made; NULL: indirect calls have none, since they are left to the monitor in part.
 */
u64 *block_connect(struct block *b, struct block_state *state, bool taken, u64 next, u64 code);
/* Unmakes all links by way of the targets. */
void block_forget_targets(struct block_state *state);
/* What a link is that is not made: so far into the stub. */
#define BLOCK_STUB_OUT 13
static inline u64 block_no_link(const struct block_state *state)
{
    return state->stub + BLOCK_STUB_OUT;
}
/*
 * A branch to itself, and nothing else: reckoned, up to `turns` of it. `counts` is what it came to; returns whether it
 * was left.
 */
bool block_spins(const struct block *b);
bool block_spin(const struct block *b, struct block_state *state, u32 turns, struct model_run *counts);

/* Adds the first `instructions` of the block, its branch not among them; or the whole, so many times, taken or not. */
void block_count_part(struct model_run *sum, const struct block *b, unsigned instructions);
void block_count(struct model_run *sum, const struct block *b, u32 times, bool taken);

/* Where the block that was executed last led. */
u64 block_next(const struct block *b, const struct block_state *state, bool taken);
/*
 * The branch of the block that was executed last, where one is left to the monitor: an indirect call stores where it
 * returns to, a return leaves the stack as it was if nothing can be where it leads. False: it faults, with RIP still at
 * it. Stores by guest_store().
 */
bool block_branches(const struct block *b, struct block_state *state, bool taken);

/*
 * A fault at `offset` of the translation, of the block of that number: where to go on, out of it, after which the state
 * tells the instruction that did it; 0: none did.
 */
u64 block_faulted(const struct block *b, unsigned number, u64 offset, struct block_state *state);

/* Once it is left at that instruction, which faulted: what had been put in a register for it is taken out. */
void block_give_back(const struct block *b, unsigned instruction, struct block_state *state);

/* ---- block.asm */
/* Executes from state->code on until a way out leads nowhere, or the notes are full. */
void block_enter(struct block_state *state);
/* Where the stub jumps to. */
extern const u8 block_leave[];
