/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A handler clears IA32_PERF_GLOBAL_STATUS, sets its counter back, and returns: it writes neither IA32_DEBUGCTL nor any
 * control, and the next PMI freezes the counters as the first one did. Here three PMIs in a row are handled so, of each
 * counter in turn, with all others on. While the counters are frozen the one that overflowed is written, which makes
 * its next overflow; clearing CTR_FRZ together with the overflow bits thaws all of them.
 *
 * Not for a counter whose overflow may be set a second time by itself: it may freeze once more.
 */
#include "harness/test.h"

#define ROUNDS 3
#define AFTER 100 /* events until the next overflow: more than 64, as in other tests */
#define TURNS 400 /* 400 branches, more cycles than AFTER: the next overflow comes meanwhile, and the counters stop */

static bool one_round(struct test *t, struct counter c, u32 round)
{
    bool came = pmi_wait(round + 1);
    if (!check_true(about(t, ASPECT_FREEZE), "not-delivered-again", came, pmi_log()->count, "one PMI more", c.msr) ||
        !check_bit(about(t, ASPECT_FREEZE), "not-frozen-again", MSR_PERF_GLOBAL_STATUS, STATUS_CTR_FRZ, true))
        return false;
    check_stopped(t, "moves-while-frozen");
    counter_write(c, counter_preset(c, AFTER));
    pmi_unmask_first(t->caps);
    pmu_status_clear(STATUS_CTR_FRZ | caps_counter_bits(t->caps));
    spin(TURNS);
    return true;
}

static bool again(struct test *t)
{
    struct counter c = next_counter(t);
    if (overflows_again(c))
        return more_samples(t);
    pmu_status_clear(STATUS_CTR_FRZ); /* which is not set: that must not count against the next freeze */
    u64 found = freeze_begin(DEBUGCTL_FREEZE_PERFMON_ON_PMI), mask = setup_mixed(t, &c, cell_mix(t, c));
    pmi_listen(cell_delivery(t), 0);
    start_in_ring(t, mask);
    for (u32 round = 0; round < ROUNDS && one_round(t, c, round); round++)
        ;
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    pmi_close();
    pmu_status_clear(STATUS_CTR_FRZ | caps_counter_bits(t->caps));
    freeze_end(found);
    for_each_counter (t, other)
        counter_clear(*other);
    return more_samples(t);
}

TEST("freeze.again", .title = "Each PMI freezes the counters again, without a new set-up",
     .spec = "SDM 3B, Freezing LBR and Performance Counters on PMI", .covers = "A-116,B-030",
     .needs = {.version = 4, .event = 2, .apic = true}, .scope = EACH_CPU, .prepare = need_freeze, .repeat = again,
     .cells = CELL_DELIVERIES | CELL_COUNTERS, .aside = ASIDE_FIELDS);
