/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * BRANCH INSTRUCTIONS RETIRED counts every near branch that retires, taken or not: conditional and unconditional jumps,
 * calls and returns. Judged, on each general-purpose counter, is the difference between a short and a long run.
 *
 * Record-and-replay debuggers find their place in a program only by this count.
 */
#include "harness/test.h"

static void branches(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = gp_counters(t, list);
    check_exact(t, "plain", list, n, ARCH_EVENT_BRANCHES);
    check_exact(t, "branches", list, n, ARCH_EVENT_BRANCHES);
}

TEST("gp.branches", .title = "GP counters count retired branches exactly",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "A-074",
     .needs = {.version = 2, .event = 6}, .scope = EACH_CPU, .run = branches, .cells = CELL_RINGS);
