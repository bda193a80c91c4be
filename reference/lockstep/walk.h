/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A walk: drawn from a seed, kept, shrunk and printed. Its frame, which first puts the PMU into a known state and in
 * the end reads everything, is not part of it. Pure.
 */
#pragma once

#include "reference/lockstep/code.h"

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

/* The last walks, the oldest of which is forgotten first. */
#define WALKS_KEPT 8
struct walks_kept {
    struct walk walk[WALKS_KEPT];
    u32 count;
};

static inline void walk_keep(struct walks_kept *kept, const struct walk *walk)
{
    kept->walk[kept->count++ % WALKS_KEPT] = *walk;
}

/* The walk that is so many walks before the last one, below WALKS_KEPT. If there were not so many, it has no steps. */
static inline const struct walk *walk_ago(const struct walks_kept *kept, u32 ago)
{
    return &kept->walk[(kept->count - 1 - ago) % WALKS_KEPT];
}

/* Where a CPU's memory for records and for traces is (code.h): addresses; 0: it has none. */
struct walk_places {
    u64 records, trace;
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
    /* The memory for records, LOCKSTEP_AREA bytes, and for traces, LOCKSTEP_TRACE bytes, as it is after the run; NULL:
     * there is none. A trace may have been on: */
    const u8 *area, *traced;
    bool traces;
};
