/* SPDX-License-Identifier: BSD-2-Clause */
/* The block of pmu/workload/workload.h under a trace: its branches, and what the trace shows. On the calling CPU. */
#pragma once

#include "harness/test.h"
#include "pmu/area/trace_area.h"
#include "pmu/workload/workload.h"

struct traced_path {
    const struct path_code *code;
    u64 way;
    u32 branches; /* those that retire */
    struct path_branch branch[PATH_BRANCHES];
    struct trace_told told;
    const struct counter *counter; /* a counter of retired branches at CPL 0, on during the trace; NULL: none */
    u64 count;                     /* its count, with what starting and stopping adds */
};

/* A path of the greatest length, a different one in each repeat. */
u64 path_way(const struct test *t);
/*
 * Runs that path while it is traced, in the ring of the test's cell, and again if packets got lost on their way to
 * memory, which a CPU may report. If packets are lost every time, the test is skipped. Returns are not compressed.
 */
void trace_path(struct test *t, u64 way, struct traced_path *path);
/*
 * Does the trace show these branches? Compares two lists, the directions of conditional branches and the targets of
 * others; how a CPU mixes the two, shortens addresses and packs times is up to the CPU.
 */
void check_path(struct test *t, const struct traced_path *path);
/* The same, as a return value. */
bool path_is_traced(const struct traced_path *path);
