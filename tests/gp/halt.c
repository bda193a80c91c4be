/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * UNHALTED CORE CYCLES does not count while the CPU sleeps in HLT, on a general-purpose counter and on fixed counter 1:
 * in a millisecond or more of sleep, interrupted only by the local APIC's timer, it counts less than half as many
 * cycles as the TSC. (How much less depends on how the CPU wakes up, and is measured.)
 */
#include "harness/test.h"

#define SLEEP_US 1000
#define WAKE_UPS 16         /* a sleep is this much longer than a wake-up */
#define SLEEP_MOST_US 64000 /* the longest sleep */
#define HALF 500            /* permille */

/* How long each CPU must sleep, in ticks of the timer; each run determines it anew. */
static u32 sleep_ticks[MAX_CPUS];

/* Sleeps at least `us` microseconds with the counters of `mask` on; returns the TSC ticks that passed. */
static u64 sleep_counted(struct test *t, u64 mask, u32 ticks, u64 us)
{
    struct deadline deadline = deadline_us(20 * SLEEP_US);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, mask);
    u64 start = time_now(), end = start + time_ticks(us);
    do {
        apic_tick_after(ticks);
        sti_hlt();
    } while (time_now() < end && !deadline_passed(&deadline));
    u64 slept = time_now() - start;
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    apic_tick(false);
    return slept;
}

/*
 * Where sleep is emulated, setting the timer and waking up take up to a millisecond, in which the CPU is awake. The
 * sleep is made longer until that is a small part of it, and stays so for the following turns; on real hardware it is
 * long enough at once. It is not longer than needed, because a sleep with an SMI in it must be repeated.
 */
static u64 sleep_long(struct test *t, u64 mask, const struct counter *list, unsigned n)
{
    u64 awake = sleep_counted(t, mask, 1, 0);
    u32 *ticks = &sleep_ticks[t->cpu];
    if (!t->turn)
        *ticks = apic_timer_ticks(SLEEP_US);
    for (;; *ticks *= 2) {
        for (unsigned i = 0; i < n; i++)
            counter_write(list[i], 0);
        u64 slept = sleep_counted(t, mask, *ticks, SLEEP_US);
        if (slept >= WAKE_UPS * awake || *ticks >= apic_timer_ticks(SLEEP_MOST_US))
            return slept;
    }
}

static bool sleep_once(struct test *t)
{
    struct counter list[] = {gp_counter(t->caps, 0), fixed_counter(t->caps, FIXED_CORE_CYCLES)};
    unsigned n = t->caps->fixed_bitmap & BIT(FIXED_CORE_CYCLES) ? 2 : 1;
    u64 mask = 0;
    for (unsigned i = 0; i < n; i++) {
        counter_setup(list[i], ARCH_EVENT_CORE_CYCLES, COUNT_OS, 0);
        mask |= BIT(list[i].bit);
    }
    u64 slept = sleep_long(t, mask, list, n);
    for (unsigned i = 0; i < n; i++) {
        u64 permille = counter_read(list[i]) * 1000 / slept;
        measure(t, list[i].fixed ? "fixed-cycles" : "gp-cycles", "permille-of-tsc", permille);
        check_range(t, "counts-in-halt", permille, 0, HALF, list[i].msr);
    }
    return more_slow_samples(t);
}

TEST("gp.halt", .title = "Core cycles are not counted in HLT",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "B-063,A-096",
     .needs = {.version = 2, .event = 1, .apic = true}, .scope = EACH_CPU, .repeat = sleep_once, .measures = true);
