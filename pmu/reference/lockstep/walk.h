/*
 * A walk: drawn from a seed, kept, shrunk and printed. Its frame, which first puts the PMU into a known state and in
 * the end reads everything, is not part of it. Pure.
 */
#pragma once

#include "pmu/reference/lockstep/code.h"

#define VECTOR_PMI 0xe0 /* kernel/interrupt/vectors.h */

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

/* A walk with its frame, as it is run. */
#define RUN_BODY 400
#define RUN_HANDLER (2 * WALK_HANDLER + 2)
#define RUN_TRACE 2048
struct lockstep_run {
    u32 body_count, handler_count;
    struct lockstep_step body[RUN_BODY], handler[RUN_HANDLER];
    u64 trace[RUN_TRACE];
    u8 memory[512]; /* for OP_MEMORY */
    const u8 *area; /* LOCKSTEP_AREA bytes for records, as they are after the run; NULL: there are none */
};
