/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Conditional branches have an event of their own: C4H, with a unit mask that Intel's event lists give for each kind of
 * core. It counts conditional branches that are taken and that are not, but no jumps, calls or returns, at CPL 3 and at
 * CPL 0. Judged, on each general-purpose counter, is the difference between a short and a long run; a kind of core
 * whose unit mask is in no list is skipped.
 *
 * rr replays a program by this count only: an error of a single branch breaks the replay.
 */
#include "harness/test.h"

#define SHORT_K 2
#define LONG_K 10

static const struct {
    const char *label;
    u64 ring;
    bool user;
    u64 aspects;
} rings[] = {{"at-cpl-0", EVTSEL_OS, false, ASPECT_BRANCHES},
             {"at-cpl-3", EVTSEL_USR, true, ASPECT_BRANCHES | ASPECT_USR_ALONE}};

static void conditional_branches(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    struct slope slope[COUNTERS_MAX];
    unsigned n = gp_counters(t, list);
    u64 event = class_conditional_branches(cpu_class(t->caps));
    if (!event)
        skip(t, "class %s: no event list has its event of conditional branches", class_name(cpu_class(t->caps)));
    note(t, "event", "of=conditional-branches", "", "select=%lx", event);
    for_each_row (rings, ring)
        for_each_row (conditional_blocks, row) {
            select_event(t, list, n, event | ring->ring);
            count_slope(t, workload(row->block), list, n, SHORT_K, LONG_K, ring->user, slope);
            for (unsigned i = 0; i < n; i++)
                check_slope(about(t, ring->aspects), ring->label, &list[i], &slope[i], row->each * (LONG_K - SHORT_K));
        }
}

TEST("gp.conditional-branches", .title = "The event of conditional branches counts each of them, and nothing else",
     .spec = "SDM 3B, Performance Monitoring Events", .covers = "A-074", .needs = {.version = 2, .event = 6},
     .scope = EACH_CPU, .run = conditional_branches);
