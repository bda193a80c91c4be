/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The parts of an oracle: what surrounds its model (oracle_around.c), the simulated CPU (player.c) and what it does
 * with each kind of instruction (player_kinds.c). Only for these and oracle.c.
 */
#pragma once

#include "reference/lockstep/oracle.h"

#define SAMPLING_READS 4 /* the index, STATUS, the index again, and the counter */
#define TRACING_READS 2  /* IA32_RTIT_STATUS and IA32_RTIT_OUTPUT_MASK_PTRS */
#define FRAMES_MOST 4    /* body, PMI handler, a PMI within it, and a fault there */
#define CALLS_MOST 2
#define ARRIVALS_MOST 64 /* that can be decided either way */
#define NEAR_OVERFLOW                                                                              \
    4096 /* counts: walks that are not skipped are not longer; nor on hardware than the second one \
          */
#define NEAR_ON_HARDWARE 1000000

/* A value that the oracle does not know has this upper part. The time does, too, and counts on from it. */
#define UNKNOWN 0x5d1c7e0000000000ull
#define UNKNOWN_BIT 40
#define UNKNOWN_BUT_SET (UNKNOWN + 1) /* it is not 0 */

enum { RBX = 3, RSP = 4, RBP = 5, R11 = 11, R12 = 12, R13 = 13, R14 = 14, R15 = 15 }; /* in struct model_registers */

static inline bool player_is_unknown(u64 word)
{
    return word >> UNKNOWN_BIT == UNKNOWN >> UNKNOWN_BIT;
}

/* The state that an interrupt or fault has saved. */
struct frame_kept {
    const struct code_row *row;
    const struct lockstep_step *step;
    u64 rcx, value;
    u32 owed, before;
    u64 early;
    bool has_early;
    u8 cpl;
    bool open;
};

/* The path of instructions that are traced. */
#define TRACED_MOST 64
struct traced_path {
    bool on, leads; /* the trace is on; the last instruction was a branch whose target is told */
    u64 begin;      /* 0: where the trace is turned on nothing is traced */
    u32 directions, targets;
    bool taken[TRACED_MOST];
    u64 target[TRACED_MOST];
};

struct player {
    struct oracle *o;
    struct model *m;
    const struct lockstep_run *run;
    bool plays;
    const u64 *trace, *end;
    u64 *write; /* used if it plays */
    u64 choices;
    u32 used, pmis, done;
    struct difference *difference;
    /* The simulated CPU's state. */
    const struct code_row *row;
    const struct lockstep_step *step;
    u64 rcx, value, second; /* the value that was read; of CPUID, `second` is its other half */
    u32 owed;               /* by the counter that was read, at that moment */
    u32 before;             /* PMIs that had come by then */
    bool has_early;         /* on hardware the value may also have been `early`, before the fence */
    u64 early;
    u8 cpl;
    bool open, shadow, nmi_blocked; /* IF; is this the instruction after STI? */
    u8 tpr;                         /* CR8: vectors up to this class wait */
    bool rbx_used;                  /* by OP_CPUID, also in a handler that interrupts it */
    bool over, waits;               /* the walk is over; a PMI was on its way when OP_SETTLE began, and has not come */
    u64 words[PMI_WORDS];           /* words of the current entry for the trace; `word` of them are done */
    u64 kept_words[FAULT_WORDS];    /* the same, of a fault's entry that a PMI has interrupted */
    unsigned word, kept_word;
    unsigned frames, calls;
    u32 turns; /* of a loop, one after the other and each by itself */
    struct frame_kept frame[FRAMES_MOST];
    const struct code_row *call[CALLS_MOST];
    u64 noted[SAMPLING_READS + TRACING_READS]; /* what was read in scenes on hardware: first that of sampling */
    u32 noted_count;
    struct traced_path traced; /* what a trace on hardware has to tell */
    struct promises promises;
};

static inline const struct code_row *player_rows_of(unsigned op, u8 cpl)
{
    const struct code_operation *operation = &lockstep_code[op];
    return cpl ? operation->at_cpl3.rows : operation->at_cpl0.rows;
}

static inline bool player_in_handler(const struct player *p)
{
    return p->step >= p->run->handler && p->step < p->run->handler + RUN_HANDLER;
}

/* ---- oracle_around.c */

bool player_memory_read(void *context, u64 address, void *to, u32 count);
bool player_memory_write(void *context, u64 address, const void *from, u32 count);
/* What is known of the registers in a walk: those that no operation changes, and that those with addresses are not 0.
 * Flags have a bit that is always 1. */
void player_know_registers(struct oracle *o, const struct lockstep_run *run);

/* The result, up to `most`, of the next draw that has to be tried. */
u32 player_draws(struct oracle *o, u32 most);

/* ---- player.c */

/* Is the CPU hardware, of which chance may decide more? */
static inline bool player_on_hardware(const struct player *p)
{
    return !p->plays && !p->o->modelled;
}
/* The counters that may be near their overflow, by their bits in IA32_PERF_GLOBAL_CTRL. */
u64 player_near(const struct player *p);
void player_differs(struct player *p, enum difference_kind kind, u64 want, u64 got);
/* The row of an address, searched from another row. */
const struct code_row *player_row_at(const struct code_row *from, u64 at);
/* `after`: the CPL after it. */
void player_retires(struct player *p, bool taken, u8 after);
void player_retires_here(struct player *p);
void player_append(struct player *p, u64 word);
/* Does a fixed interrupt with this vector have to wait, whatever the instruction? */
bool player_waits_for_software(const struct player *p, u8 vector);
bool player_deliverable(const struct player *p);
void player_enter_pmi(struct player *p, u8 vector);
/* Is the next word of the trace a PMI's entry? pmi_here(): and did the PMI come at this instruction? */
bool player_pmi_next(const struct player *p);
bool player_pmi_here(const struct player *p);
/* The trace does not tell whether a PMI on its way has arrived by now: `choices` decides. */
void player_maybe_arrives(struct player *p);
/* The trace says that a PMI came here: one that has arrived already, or arrives now. */
void player_take_pmi(struct player *p);
void player_take_value(struct player *p);
/* After an access that may fault; `answers`: the model's does not. True: continue behind it. */
bool player_comes_back(struct player *p, bool answers);

/* ---- apart.c */

/* On hardware: is the step in a scene apart? Then what it reads is only noted. */
bool player_notes(struct player *p, u64 got);
/* On hardware: is a trace on? Then each instruction matters. */
bool player_is_traced(const struct player *p);
/* The step has written its register: perhaps the trace is turned on or off. */
void player_traces_write(struct player *p);
/* A conditional branch, or one whose target only the trace shows, retires; and the next instruction is known. */
void player_traces_branch(struct player *p, bool conditional, bool taken, u8 after);
void player_traces_target(struct player *p);

/* ---- sampled.c, traced.c */

/* After a run with such scenes: do records and what was noted fit together, and does the trace fit the path? Else the
 * difference is noted. */
void player_compare_samples(struct player *p);
void player_compare_trace(struct player *p);

/* ---- player_kinds.c */

void player_goes_on(struct player *p);

/* What each kind of instruction does; NULL: it only retires. */
extern void (*const player_executes[KIND_COUNT])(struct player *p);
