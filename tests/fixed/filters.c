/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The two enable bits of a fixed counter in IA32_FIXED_CTR_CTRL let it count at CPL 0 and at CPL 1 to 3; with neither
 * it is off. Fixed counter 0 is judged exactly. Counts of cycles are not exact, but a counter of cycles that is off, or
 * counts only above CPL 0, has no reason to move at CPL 0. And in thousands of instructions at CPL 3 a counter that
 * counts above CPL 0 does move, whatever its clock, unless the thermal monitor stops that clock.
 */
#include "harness/test.h"

/* 6,006 instructions: at least 300 cycles of the widest core, and many steps of the slowest clock that is counted. */
#define USER_K 500

static bool in_user(struct test *t, void *argument)
{
    const struct counter *c = argument;
    struct switch_write start_stop = counters_switch(t->caps, BIT(c->bit));
    counter_setup(*c, 0, COUNT_USR, 0);
    workloads[0].run_user(&start_stop, USER_K);
    u64 counted = counter_read(*c);
    if (!throttled(t))
        check_true(t, "silent-at-cpl-3", counted, counted, "a count", c->msr);
    return false;
}

static void filters(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = 0;
    for_each_fixed_counter (t, i)
        list[n++] = fixed_counter(t->caps, i);
    check_filters(t, list, n);
    for (unsigned i = 0; i < n; i++)
        if (counts_anything(list[i]))
            repeat_clean(t, in_user, &list[i]);
}

TEST("fixed.filters", .title = "Fixed counters count at the privilege levels that their enable bits select",
     .spec = "SDM 3B, Fixed-function Performance Counters", .covers = "B-056,A-079",
     .needs = {.version = 2, .fixed = true}, .scope = EACH_CPU, .run = filters);
