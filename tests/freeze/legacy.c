/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The freeze of versions 2 and 3: with IA32_DEBUGCTL[12] set a PMI clears enable bits of IA32_PERF_GLOBAL_CTRL, and the
 * handler has to set them again. Which bits it clears differs between generations, so these are measured: how many of
 * the running counters are still enabled in the handler, and how much the second counter counts while
 * IA32_PERF_GLOBAL_CTRL is not written.
 *
 * Judged is that the PMI comes, that IA32_DEBUGCTL keeps the bit, and that at least the counter that overflowed is
 * stopped; the latter not on Core 2, for which no source says so.
 */
#include "harness/test.h"

static u64 enabled(struct test *t, u64 global_ctrl)
{
    u64 count = 0;
    for_each_counter (t, c)
        count += global_ctrl >> c->bit & 1;
    return count;
}

static u64 moved(struct test *t)
{
    struct counter_values before, after;
    u64 count = 0;
    read_counters(t, &before);
    spin(SPIN_A_LITTLE);
    read_counters(t, &after);
    for_each_counter (t, c)
        count += before.value[c->bit] != after.value[c->bit];
    return count;
}

static bool freeze(struct test *t)
{
    struct counter c = next_counter(t);
    u64 found = freeze_begin(DEBUGCTL_FREEZE_PERFMON_ON_PMI), mask = setup_all(t, &c);
    check_bit(about(t, ASPECT_FREEZE_ENABLE), "debugctl-dropped", MSR_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON_ON_PMI, true);
    pmi_listen(cell_delivery(t), 0);
    start_in_ring(t, mask);
    if (check_delivered(t, c.msr)) {
        measure(t, "still-enabled", "counters", enabled(t, pmi_log()->record[0].global_ctrl));
        measure(t, "still-moving", "counters", moved(t));
        if (class_freeze_disables(cpu_class(t->caps)))
            check_true(about(t, ASPECT_FREEZE), "overflowed-still-enabled",
                       !(pmi_log()->record[0].global_ctrl & BIT(c.bit)), pmi_log()->record[0].global_ctrl,
                       "this counter's bit clear in IA32_PERF_GLOBAL_CTRL", c.msr);
    }
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    pmu_status_clear(caps_counter_bits(t->caps));
    pmi_close();
    freeze_end(found);
    return true;
}

static void need_legacy_freeze(struct test *t)
{
    if (t->caps->version >= 4)
        skip(t, "CPUID.0AH:EAX[7:0]=%u: the freeze of versions 2 and 3 no longer exists", t->caps->version);
    need_freeze(t);
}

TEST("freeze.legacy", .title = "A PMI clears enable bits of GLOBAL_CTRL before version 4",
     .spec = "SDM 3B, Freezing LBR and Performance Counters on PMI", .covers = "B-032",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .prepare = need_legacy_freeze,
     .repeat = freeze, .cells = CELL_RINGS | CELL_DELIVERIES | CELL_COUNTERS | CELL_NEIGHBOURS, .measures = true);
