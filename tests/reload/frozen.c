/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A PMI that freezes the counters also freezes those that its overflow reloads: they stand still until CTR_FRZ is
 * cleared, and then continue. No manual says whether the reload comes before the freeze or is omitted: the value of a
 * frozen counter shows it and is measured (1: it was reloaded before).
 */
#include "harness/chapter/reload.h"

static u64 both(const struct test *t)
{
    return t->caps->reloads & t->caps->reload_causes & MASK(31, 0);
}

static void prepare(struct test *t)
{
    need_freeze(t);
    need_reload(t, both(t), 2);
}

/* A late reload has happened before the first read. */
static void check_stands(struct test *t, struct counter c)
{
    settle();
    u64 first = counter_read(c);
    spin(SPIN_A_LITTLE);
    check_equal(about(t, ASPECT_FREEZE), "moves-while-frozen", counter_read(c), first, c.msr);
    measure(t, "reloaded-when-frozen", "yes", counted_since_reload(c) < RELOAD_PERIOD);
}

static void frozen_group(struct test *t, struct counter c, struct counter cause)
{
    counter_setup(cause, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_INT, counter_preset(cause, PROVOKE_EVENTS));
    reload_setup(t, c, counter_mask(c.width), BIT(cause.bit));
    pmi_listen(PMI_FIXED, 0);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c.bit) | BIT(cause.bit));
    if (check_delivered(about(t, ASPECT_FREEZE), cause.msr) &&
        check_bit(about(t, ASPECT_FREEZE), "no-ctr-frz", MSR_PERF_GLOBAL_STATUS, STATUS_CTR_FRZ, true)) {
        check_stands(t, c);
        u64 held = counter_read(c);
        pmu_status_clear(STATUS_CTR_FRZ | caps_counter_bits(t->caps));
        spin(SPIN_A_LITTLE);
        check_true(about(t, ASPECT_FREEZE), "not-resumed", counter_read(c) != held, held,
                   "another count than while frozen", c.msr);
    }
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    pmu_status_clear(caps_counter_bits(t->caps));
    pmi_close();
}

static bool frozen(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = exact_counters(t, both(t), list);
    struct counter c = list[t->turn % n], cause = list[(t->turn + 1) % n];
    u64 found = freeze_begin(DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    frozen_group(t, c, cause);
    reload_clear(t, c);
    counter_clear(cause);
    freeze_end(found);
    return more_samples_of(t, n);
}

TEST("reload.frozen", .title = "A counter that is reloaded stands still while counters are frozen",
     .spec = "SDM 3B, Freezing LBR and Performance Counters on PMI", .covers = "A-136,B-076",
     .needs = {.version = 5, .event = 2, .apic = true}, .scope = EACH_CPU, .prepare = prepare, .repeat = frozen,
     .measures = true);
