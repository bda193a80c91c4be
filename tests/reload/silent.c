/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter that reloads itself with INT clear raises no PMI, however often it overflows: drivers clear INT in such a
 * counter and sample with another one of its group. No manual says what happens with INT set: it is measured.
 */
#include "harness/chapter/reload.h"

#define RELOADS 2 /* per run, and not more: an NMI from elsewhere spoils it */

static void prepare(struct test *t)
{
    need_reload(t, t->caps->reloads & t->caps->reload_causes, 1);
}

/* Returns how many PMIs the reloads of a run raise. */
static u32 pmis_of(struct test *t, struct counter c, unsigned flags)
{
    pmi_listen(PMI_FIXED, PMI_CLEAR_STATUS | PMI_UNMASK);
    reload_setup(t, c, RELOAD_PERIOD, BIT(c.bit));
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, ring_flags(t) | flags, counter_preset(c, RELOAD_PERIOD));
    run_block(t, BIT(c.bit), RELOADS * RELOAD_PERIOD / workloads[0].instructions_per_k + 1);
    u32 came = pmi_settled();
    pmi_close();
    return came;
}

static void finish(struct test *t, struct counter c)
{
    pmu_status_clear(BIT(c.bit));
    reload_clear(t, c);
}

static bool silent(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = exact_counters(t, t->caps->reloads & t->caps->reload_causes, list);
    struct counter c = list[t->turn / 2 % n];
    if (t->turn / 2 / n % 2) {
        measure(t, "pmis-with-int", "PMIs", pmis_of(t, c, COUNT_INT));
        finish(t, c);
        return more_samples_of(t, 4 * n);
    }
    check_equal(t, "delivered", pmis_of(t, c, 0), 0, c.msr);
    /* Below its end, or not far past it while a reload was pending; without one the block takes it far past it. */
    u64 above = (counter_read(c) + 2 * RELOAD_PERIOD) & counter_mask(c.width);
    check_range(t, "not-reloaded", above, 0, 2 * RELOAD_PERIOD + RELOAD_PERIOD / 2, c.msr);
    finish(t, c);
    return more_samples_of(t, 4 * n);
}

TEST("reload.silent", .title = "A counter that reloads itself with INT clear raises no PMI",
     .spec = "SDM 3B, Auto Counter Reload", .covers = "A-136,B-076", .needs = {.version = 5, .event = 2, .apic = true},
     .scope = EACH_CPU, .prepare = prepare, .repeat = silent, .cells = CELL_RINGS, .measures = true);
