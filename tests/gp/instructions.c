/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * INSTRUCTIONS RETIRED counts every instruction that retires, once, on each general-purpose counter. Judged is the
 * difference between a short and a long run of the same block, so it does not include the cost of starting and
 * stopping, which no manual states.
 *
 * A counter that is off by one in a thousand makes profiles slightly wrong and record-and-replay debuggers useless.
 */
#include "harness/test.h"

static void instructions(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = gp_counters(t, list);
    check_exact(t, "plain", list, n, ARCH_EVENT_INSTRUCTIONS);
    check_exact(t, "branches", list, n, ARCH_EVENT_INSTRUCTIONS);
    check_exact(t, "memory", list, n, ARCH_EVENT_INSTRUCTIONS);
}

TEST("gp.instructions", .title = "GP counters count retired instructions exactly",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "A-069,A-086,B-067",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .run = instructions, .cells = CELL_RINGS);
