/*
 * Clearing an overflow bit while its counter runs does not lose the next overflow: the bit is cleared, through
 * IA32_PERF_GLOBAL_STATUS_RESET, while the counter is on its way, and is set when it gets there. (It is set beforehand
 * through IA32_PERF_GLOBAL_STATUS_SET, so that there is something to clear.)
 *
 * Handlers that do not stop the counters work like that.
 */
#include "harness/running.h"
#include "harness/samples.h"

#define SPINS_MORE 100 /* three instructions each and more: past the overflow */

static struct counter set_up(struct test *t, struct counter c, u64 ahead)
{
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, counter_preset(c, ahead));
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, BIT(c.bit));
    return c;
}

/* Starts the counter, clears its bit, and returns STATUS as it is right after. */
static u64 clear_running(struct test *t, struct counter c)
{
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, BIT(c.bit));
    return read_msr(t, MSR_PERF_GLOBAL_STATUS);
}

/* How many instructions that takes, with the end of it: the overflow has to come later. */
static u64 clearing_takes(struct test *t, struct counter c)
{
    set_up(t, c, 0);
    clear_running(t, c);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    settle();
    u64 instructions = counter_read(c);
    measure(t, "clearing", "instructions", instructions);
    counter_clear(c);
    return instructions;
}

static bool clear_on_the_way(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = counters_for(t, ARCH_EVENT_INSTRUCTIONS, list);
    struct counter c = list[t->turn % n];
    u64 ahead = 2 * clearing_takes(t, c);
    set_up(t, c, ahead);
    u64 early = clear_running(t, c);
    spin((u32)ahead / 3 + SPINS_MORE);
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
     .needs = {.version = 4, .event = 2}, .scope = EACH_CPU, .repeat = clear_on_the_way, .measures = true);
