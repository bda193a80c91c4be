/*
 * Clearing an overflow bit while its counter runs does not lose the next overflow: the bit is cleared, through
 * IA32_PERF_GLOBAL_STATUS_RESET, while the counter is on its way, and is set when it gets there. (It is set beforehand
 * through IA32_PERF_GLOBAL_STATUS_SET, so that there is something to clear.)
 *
 * Handlers that do not stop the counters work like that.
 */
#include "harness/running.h"
#include "harness/samples.h"

#define AHEAD 2500 /* instructions, more than the clearing takes */
#define SPINS 1200 /* three instructions each and more: well past the overflow */

static bool clear_on_the_way(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = counters_for(t, ARCH_EVENT_INSTRUCTIONS, list);
    struct counter c = list[t->turn % n];
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, counter_preset(c, AHEAD));
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, BIT(c.bit));
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, BIT(c.bit));
    u64 early = read_msr(t, MSR_PERF_GLOBAL_STATUS);
    spin(SPINS);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    settle();
    check_true(about(t, ASPECT_STATUS_BIT), "not-cleared", !(early & BIT(c.bit)), early,
               "this counter's bit clear in IA32_PERF_GLOBAL_STATUS", c.msr);
    check_bit(t, "later-overflow-lost", MSR_PERF_GLOBAL_STATUS, c.bit, true);
    pmu_status_clear(BIT(c.bit));
    counter_clear(c);
    return more_samples_of(t, n);
}

TEST("global.reset-running", .title = "Clearing an overflow bit of a running counter loses no later overflow",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "B-027",
     .needs = {.version = 4, .event = 2}, .scope = EACH_CPU, .repeat = clear_on_the_way);
