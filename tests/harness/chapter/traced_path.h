/* The block of pmu/workload/path.h under a trace: what it does, and what the trace tells of it. On the calling CPU. */
#pragma once

#include "harness/test.h"
#include "pmu/area/trace_packet.h"
#include "pmu/workload/path.h"

struct traced_path {
    const struct path_code *code;
    u64 way;
    u32 branches; /* that retire */
    struct path_branch branch[PATH_BRANCHES];
    struct trace_told told;
    const struct counter *counter; /* of retired branches at CPL 0, on meanwhile; NULL: none */
    u64 count;                     /* what it counts, with what starting and stopping adds */
};

/* A way of the longest kind, another one each repeat. */
u64 path_way(const struct test *t);
/*
 * Goes that way while it is traced, at the ring of the test's cell, and again if packets got lost on their way to
 * memory: a CPU may lose some, and says so. Where each time some do, the test is skipped. Returns are traced whole.
 */
void trace_path(struct test *t, u64 way, struct traced_path *path);
/*
 * Does the trace tell these branches? Of two rows, one of the directions of conditional branches and one of where
 * others went; how a CPU mixes them, shortens addresses and tells the time is its own affair.
 */
void check_path(struct test *t, const struct traced_path *path);
/* The same as an answer. */
bool path_is_told(const struct traced_path *path);
