/*
 * A walk: what is drawn by a seed, kept, made smaller and printed. Its frame, what puts the PMU into a known state
 * before and reads everything after, is not in it. Pure.
 */
#pragma once

#include "pmu/reference/lockstep/code.h"

#define WALK_BODY 72
#define WALK_HANDLER 10

struct walk_step {
    u32 op, number;
    u64 value;
};

struct walk {
    u32 body_count, handler_count;
    struct walk_step body[WALK_BODY], handler[WALK_HANDLER];
};

/* With its frame, as it is run. */
#define RUN_BODY 400
#define RUN_HANDLER (2 * WALK_HANDLER + 2)
#define RUN_TRACE 2048
struct lockstep_run {
    u32 body_count, handler_count;
    struct lockstep_step body[RUN_BODY], handler[RUN_HANDLER];
    u64 trace[RUN_TRACE];
    u8 memory[512]; /* that OP_MEMORY loads from and stores to */
    const u8 *area; /* LOCKSTEP_AREA bytes that records may go to, as they are after the run; NULL: there are none */
};
