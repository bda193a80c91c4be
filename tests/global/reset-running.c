/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Clearing an overflow bit while its counter runs does not lose the next overflow: the bit is cleared through
 * IA32_PERF_GLOBAL_STATUS_RESET while the counter is still before its end, and is set when the counter overflows. (It
 * is set beforehand through IA32_PERF_GLOBAL_STATUS_SET, so that there is a bit to clear.)
 *
 * Handlers that do not stop the counters work like this. In one case the overflow comes well after the clearing, in the
 * other right after it: between the two only the counter is read, and if it has wrapped by then nothing is judged.
 */
#include "harness/test.h"

#define SPINS_MORE 100 /* three or more instructions each: past the overflow */
#define SOON 8         /* instructions at most from the read to the overflow */

static struct counter set_up(struct test *t, struct counter c, u64 ahead)
{
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, counter_preset(c, ahead));
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, BIT(c.bit));
    return c;
}

/* Starts the counter, clears its bit, and returns its value right after that: 0 if RDPMC faults. */
static u64 clear_running(struct test *t, struct counter c)
{
    u64 value = 0;
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, BIT(c.bit));
    rdpmc_try(c.rdpmc, &value);
    return value;
}

static void stop(struct test *t)
{
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    settle();
}

/* How many instructions pass until the counter is read, and until it is stopped. */
struct clearing {
    u64 read, stop;
};

static struct clearing clearing_takes(struct test *t, struct counter c)
{
    struct clearing clearing;
    set_up(t, c, 0);
    clearing.read = clear_running(t, c);
    read_msr(t, MSR_PERF_GLOBAL_STATUS);
    stop(t);
    clearing.stop = counter_read(c);
    measure(t, "clearing", "instructions", clearing.stop);
    counter_clear(c);
    return clearing;
}

static void done(struct counter c)
{
    pmu_status_clear(BIT(c.bit));
    counter_clear(c);
}

static void overflow_later(struct test *t, struct counter c, u64 ahead)
{
    set_up(t, c, ahead);
    clear_running(t, c);
    u64 early = read_msr(t, MSR_PERF_GLOBAL_STATUS);
    spin((u32)ahead / 3 + SPINS_MORE);
    stop(t);
    check_true(about(t, ASPECT_STATUS_BIT), "not-cleared", !(early & BIT(c.bit)), early,
               "this counter's bit clear in IA32_PERF_GLOBAL_STATUS", c.msr);
    check_bit(t, "later-overflow-lost", MSR_PERF_GLOBAL_STATUS, BIT(c.bit), true);
    done(c);
}

static void overflow_soon(struct test *t, struct counter c, u64 ahead)
{
    set_up(t, c, ahead);
    bool to_come = clear_running(t, c) >= counter_preset(c, ahead);
    spin(SPINS_MORE);
    stop(t);
    measure(t, "overflow", "to-come", to_come);
    if (to_come)
        check_bit(t, "soon-overflow-lost", MSR_PERF_GLOBAL_STATUS, BIT(c.bit), true);
    done(c);
}

static bool clear_on_the_way(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = counters_for(t, ARCH_EVENT_INSTRUCTIONS, list);
    struct counter c = list[t->turn % n];
    struct clearing clearing = clearing_takes(t, c);
    overflow_later(t, c, 2 * clearing.stop);
    overflow_soon(t, c, clearing.read + 1 + t->turn % SOON);
    return more_samples_of(t, n);
}

TEST("global.reset-running", .title = "Clearing an overflow bit of a running counter loses no later overflow",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "B-027",
     .needs = {.version = 4, .event = 2}, .scope = EACH_CPU, .repeat = clear_on_the_way, .measures = true);
