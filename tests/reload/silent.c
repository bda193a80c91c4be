/*
 * A counter that reloads itself and does not ask for interrupts raises no PMI, however often it ends: drivers clear INT
 * in such a counter and sample by another one of its group. What comes of it with INT set no manual says: measured.
 */
#include "harness/chapter/reload.h"
#include "harness/provoke.h"
#include "harness/samples.h"

#define RELOADS 2 /* of a run, and not more: an NMI of somebody else spoils it */

static void prepare(struct test *t)
{
    need_reload(t, t->caps->reloads & t->caps->reload_causes, 1);
}

/* How many PMIs come of the reloads of a run. */
static u32 pmis_of(struct test *t, struct counter c, unsigned flags)
{
    pmi_listen(PMI_FIXED, PMI_CLEAR_STATUS | PMI_UNMASK);
    reload_setup(t, c, RELOAD_PERIOD, BIT(c.bit));
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | flags, counter_preset(c, RELOAD_PERIOD));
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
    struct counter c = list[t->turn % n];
    if (t->turn / n % 2) {
        measure(t, "pmis-with-int", "PMIs", pmis_of(t, c, COUNT_INT));
        finish(t, c);
        return more_samples_of(t, 2 * n);
    }
    check_equal(t, "delivered", pmis_of(t, c, 0), 0, c.msr);
    /* Below its end, or not far past it while the reload was on its way: without a reload it is as far as the block. */
    u64 above = (counter_read(c) + 2 * RELOAD_PERIOD) & counter_mask(c.width);
    check_range(t, "not-reloaded", above, 0, 2 * RELOAD_PERIOD + RELOAD_PERIOD / 2, c.msr);
    finish(t, c);
    return more_samples_of(t, 2 * n);
}

TEST("reload.silent", .title = "A counter that reloads itself raises no PMI unasked",
     .spec = "SDM 3B, Auto Counter Reload", .covers = "A-136,B-076", .needs = {.version = 5, .event = 2, .apic = true},
     .scope = EACH_CPU, .prepare = prepare, .repeat = silent, .measures = true);
