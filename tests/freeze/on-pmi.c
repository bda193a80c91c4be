/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With IA32_DEBUGCTL[12] set, a PMI freezes the counters (version 4, "streamlined"): IA32_PERF_GLOBAL_STATUS.CTR_FRZ is
 * set, IA32_PERF_GLOBAL_CTRL keeps its value, and no counter moves, neither the one that overflowed nor any other,
 * general-purpose or fixed. Clearing CTR_FRZ and the overflow bits through IA32_PERF_GLOBAL_STATUS_RESET, in one write
 * as the manual's handler does, lets them continue without any other write. The manual does not promise that counters
 * continue while the overflow bit that froze them is still set: some CPUs signal the overflow until its bit is cleared
 * (HSD91, BDM38).
 *
 * CPUs of the Skylake class are reported to freeze again if that is done before the handler has unmasked LVTPC: Linux
 * unmasks it first, and so does this test. freeze.ack-order measures the other order.
 *
 * One counter after the other overflows while all run on or alone, at CPL 0 and at CPL 3, and its PMI comes by a fixed
 * vector or as an NMI; they count instructions, branches or cycles, in one ring or in both; then all that count
 * instructions overflow together. Counts between overflow and freeze do not
 * matter: the handler only records, and the test judges that counters stand still once the frozen state is reached.
 */
#include "harness/test.h"

/* A counter that may overflow a second time may freeze a second time. */
static void frozen(struct test *t, struct counter c, u64 mask)
{
    if (!check_bit(about(t, ASPECT_FREEZE), "no-ctr-frz", MSR_PERF_GLOBAL_STATUS, STATUS_CTR_FRZ, true))
        return;
    check_bits(about(t, ASPECT_FREEZE), "global-ctrl-changed", MSR_PERF_GLOBAL_CTRL, mask, mask);
    check_stopped(t, "not-frozen");
    pmi_unmask_first(t->caps);
    pmu_status_clear(STATUS_CTR_FRZ | caps_counter_bits(t->caps));
    if (overflows_again(c)) { /* now, or while code runs */
        measure(t, "frozen-once-more", "repeats", !!(pmu_status() & STATUS_CTR_FRZ));
        return;
    }
    check_bit(about(t, ASPECT_FREEZE), "ctr-frz-not-cleared", MSR_PERF_GLOBAL_STATUS, STATUS_CTR_FRZ, false);
    check_moving(t, "not-resumed");
}

/* Counters of the same event, started together, wrap together or close to each other. */
static void all_together(struct test *t, struct counter first)
{
    u64 mask = setup_together(t);
    pmi_listen(cell_delivery(t), 0);
    start_in_ring(t, mask);
    if (check_delivered(about(t, ASPECT_FREEZE), first.msr) &&
        check_bit(about(t, ASPECT_FREEZE), "no-ctr-frz-together", MSR_PERF_GLOBAL_STATUS, STATUS_CTR_FRZ, true))
        check_stopped(t, "not-frozen-together");
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    pmi_close();
    pmu_status_clear(STATUS_CTR_FRZ | caps_counter_bits(t->caps));
    for_each_counter (t, c)
        counter_clear(*c);
}

static bool one_counter(struct test *t)
{
    struct counter c = next_counter(t);
    under_test(t, caps_counter_bits(t->caps), BIT(c.bit));
    u64 found = freeze_begin(DEBUGCTL_FREEZE_PERFMON_ON_PMI), mask = setup_mixed(t, &c, cell_mix(t, c));
    pmi_listen(cell_delivery(t), 0);
    start_in_ring(t, mask);
    if (check_delivered(about(t, ASPECT_FREEZE), c.msr))
        frozen(t, c, mask);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    pmu_status_clear(caps_counter_bits(t->caps));
    check_bit(about(t, ASPECT_FREEZE | ASPECT_FREEZE_ENABLE), "debugctl-cleared", MSR_DEBUGCTL,
              DEBUGCTL_FREEZE_PERFMON_ON_PMI, true);
    pmi_close();
    if (!t->cell.alone && c.bit == 0)
        all_together(t, c);
    freeze_end(found);
    return more_samples(t);
}

TEST("freeze.on-pmi", .title = "A PMI freezes all counters until CTR_FRZ is cleared",
     .spec = "SDM 3B, Freezing LBR and Performance Counters on PMI", .covers = "A-116,B-030,B-031,B-037",
     .needs = {.version = 4, .event = 2, .apic = true}, .scope = EACH_CPU, .prepare = need_freeze,
     .repeat = one_counter, .cells = CELL_RINGS | CELL_DELIVERIES | CELL_COUNTERS | CELL_NEIGHBOURS, .measures = true,
     .aside = ASIDE_FIELDS);
