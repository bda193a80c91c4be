/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter that is set up only by its aliases counts like any other, and its count reads the same by both names. A
 * fixed counter has an alias for its value only.
 */
#include "harness/chapter/alias.h"

static void by_alias(struct test *t, struct counter c)
{
    if (c.fixed)
        counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, 1);
    write_msr(t, msr_ctr(c), 0);
    if (!c.fixed)
        write_msr(t, MSR_PMC_GP_CFG_A(c.index), EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | EVTSEL_OS | EVTSEL_EN);
}

static void check_all(struct test *t, const struct counter *list, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        by_alias(t, list[i]);
    check_counted(t, "count", &workloads[0], list, n, workloads[0].instructions_per_k);
    for (unsigned i = 0; i < n; i++) {
        check_equal(t, "differs", read_msr(t, msr_ctr(list[i])), counter_read(list[i]), list[i].msr);
        counter_clear(list[i]);
    }
}

/* The GP counters together, then fixed counter 0 alone: its start is not exact together with others. */
static void counted(struct test *t)
{
    struct counter list[COUNTERS_MAX], gp[COUNTERS_MAX];
    need_aliases(t);
    unsigned n = alias_counters(t, list), gp_count = 0;
    for (unsigned i = 0; i < n; i++)
        if (!list[i].fixed)
            gp[gp_count++] = list[i];
    check_all(t, gp, gp_count);
    for (unsigned i = 0; i < n; i++)
        if (list[i].fixed && counts_exactly(list[i]))
            check_all(t, &list[i], 1);
}

TEST("alias.counted", .title = "A counter set up only by its aliases counts", .spec = "SDM 4, Architectural MSRs",
     .covers = "B-074", .needs = {.version = 5, .event = 2, .full_width = true}, .scope = EACH_CPU, .run = counted);
