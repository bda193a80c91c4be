/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A handler acknowledges a freezing PMI in one of three orders: CTR_FRZ first, CTR_FRZ last, or both it and the
 * overflow bit in one write. CTR_FRZ alone decides whether the counters run, so the order must not matter; but
 * operating systems have found that it did. For each order the test measures how many PMIs one overflow causes, whether
 * CTR_FRZ is still set after the first of two writes, and whether it is set again at the end although nothing has
 * overflowed. LVTPC stays masked meanwhile, as the delivery left it.
 *
 * Judged is that each overflow causes a PMI.
 */
#include "harness/test.h"

static const struct {
    const char *pmis, *again;
    u64 first, second; /* both bits, as masks */
} orders[] = {
    {"pmis-frozen-first", "again-frozen-first", STATUS_CTR_FRZ, ~STATUS_CTR_FRZ},
    {"pmis-frozen-last", "again-frozen-last", ~STATUS_CTR_FRZ, STATUS_CTR_FRZ},
    {"pmis-together", "again-together", ~0ull, 0},
};

static struct acknowledged {
    u32 order;
    u64 between; /* STATUS after the first write */
} acknowledged[MAX_CPUS];

/* The handler itself does not change STATUS. */
static void acknowledge(struct pmi_record *record)
{
    struct acknowledged *here = &acknowledged[cpu_index()];
    pmu_status_clear(record->status & orders[here->order].first);
    here->between = pmu_status();
    pmu_status_clear(record->status & orders[here->order].second);
}

static bool one_order(struct test *t)
{
    u32 order = t->turn % ARRAY_SIZE(orders);
    u64 found = freeze_begin(DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    acknowledged[t->cpu] = (struct acknowledged){.order = order};
    pmi_listen(PMI_FIXED, PMI_UNMASK);
    pmi_hook(acknowledge);
    provoke_overflow(t, gp_counter(t->caps, 0), COUNT_OS | COUNT_INT);
    pmi_wait(1);
    settle();
    check_delivered(t, MSR_PMC(0));
    measure(t, orders[order].pmis, "pmis", pmi_log()->count);
    if (!order)
        measure(t, "frozen-while-overflowed", "bits", acknowledged[t->cpu].between / STATUS_CTR_FRZ & 1);
    measure(t, orders[order].again, "bits", read_msr(t, MSR_PERF_GLOBAL_STATUS) / STATUS_CTR_FRZ & 1);
    pmu_status_clear(STATUS_CTR_FRZ | caps_counter_bits(t->caps));
    pmi_close();
    freeze_end(found);
    return more_samples(t);
}

TEST("freeze.ack-order", .title = "Acknowledging a freezing PMI in different orders",
     .spec = "SDM 3B, Freezing LBR and Performance Counters on PMI", .covers = "B-036",
     .needs = {.version = 4, .event = 2, .apic = true}, .scope = EACH_CPU, .prepare = need_freeze, .repeat = one_order,
     .measures = true);
