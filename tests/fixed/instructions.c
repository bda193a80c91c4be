/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fixed counter 0 counts every instruction that retires, once. Judged is the difference between a short and a long run
 * of the same block, so it does not include the cost of starting and stopping.
 */
#include "harness/test.h"

static void instructions(struct test *t)
{
    struct counter counter = fixed_counter(t->caps, FIXED_INSTRUCTIONS);
    check_exact(t, "plain", &counter, 1, ARCH_EVENT_INSTRUCTIONS);
    check_exact(t, "branches", &counter, 1, ARCH_EVENT_INSTRUCTIONS);
    check_exact(t, "memory", &counter, 1, ARCH_EVENT_INSTRUCTIONS);
}

TEST("fixed.instructions", .title = "Fixed counter 0 counts retired instructions exactly",
     .spec = "SDM 3B, Fixed-function Performance Counters", .covers = "A-078", .needs = {.version = 2, .fixed = true},
     .scope = EACH_CPU, .run = instructions, .cells = CELL_RINGS);
