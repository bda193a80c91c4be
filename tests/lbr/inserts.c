/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Event 12 of leaf 0AH counts the branch records that are made: exactly, with all branches recorded and with some of
 * them filtered, and none while recording is off. A profiler that samples by it gets each record once.
 */
#include "harness/chapter/branches.h"

#define EVENT_INSERTS 12 /* CPUID.0AH:EBX */

static void prepare(struct test *t)
{
    struct lbr_stack stack;
    if (!caps_event_available(t->caps, EVENT_INSERTS))
        skip(t, "CPUID.0AH:EAX[31:24]=%u, EBX=0x%x: no event for branch records", t->caps->event_length,
             t->caps->events_unavailable);
    need_branch_records(t);
    if (lbr_stack(t->caps, &stack) && !stack.architectural)
        skip(t, "CPUID.7.0:EDX[19]=0: no architectural branch records");
}

static struct counter start(struct test *t)
{
    struct counter c = gp_counter(t->caps, 0);
    counter_setup(c, ARCH_EVENT_LBR_INSERTS, COUNT_OS, 0);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
    return c;
}

static void check_inserts(struct test *t, const struct recording *r, const char *label, struct counter c)
{
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    check_equal(t, label, counter_read(c), recorded(t, r), c.msr);
    counter_clear(c);
}

static bool inserts(struct test *t)
{
    struct recording r = recording_begin(t);
    struct counter c = start(t);
    record_ladder(t, &r, 0);
    check_inserts(t, &r, "not-each-record", c);
    c = start(t);
    record_ladder(t, &r, LBR_SELECT_RETURN | LBR_SELECT_CONDITIONAL);
    check_inserts(t, &r, "filtered-counted", c);
    c = start(t);
    run_ladder_off(t, &r, 0);
    check_inserts(t, &r, "counted-while-off", c);
    recording_end(t, &r);
    return more_samples(t);
}

TEST("lbr.inserts", .title = "The event for branch records counts each of them",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "B-095", .needs = {.version = 2},
     .scope = EACH_CORE, .prepare = prepare, .repeat = inserts);
