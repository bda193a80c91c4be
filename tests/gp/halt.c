/*
 * UNHALTED CORE CYCLES does not count while the CPU sleeps in HLT, on a general-purpose counter and on fixed counter 1:
 * of a millisecond and more of sleep, interrupted by the local APIC's timer only, it counts less than half the cycles
 * that the TSC does. (How much less depends on how the CPU wakes, and is measured.)
 */
#include "harness/provoke.h"
#include "harness/samples.h"
#include "kernel/core/time.h"
#include "kernel/cpu/apic_init.h"
#include "kernel/cpu/instructions.h"

#define SLEEP_US 1000
#define HALF 500 /* permille */

/* Returns the TSC ticks slept, with the counters of `mask` on. */
static u64 sleep_counted(struct test *t, u64 mask)
{
    struct deadline deadline = deadline_us(20 * SLEEP_US);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, mask);
    u64 start = time_now(), end = start + time_ticks(SLEEP_US);
    do {
        apic_tick(true);
        sti_hlt();
    } while (time_now() < end && !deadline_passed(&deadline));
    u64 slept = time_now() - start;
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    apic_tick(false);
    return slept;
}

static bool sleep_once(struct test *t, void *taken)
{
    struct counter gp = gp_counter(t->caps, 0), fixed = fixed_counter(t->caps, FIXED_CORE_CYCLES);
    bool has_fixed = t->caps->fixed_bitmap & BIT(FIXED_CORE_CYCLES);
    counter_setup(gp, ARCH_EVENT_CORE_CYCLES, COUNT_OS, 0);
    if (has_fixed)
        counter_setup(fixed, 0, COUNT_OS, 0);
    u64 slept = sleep_counted(t, BIT(gp.bit) | (has_fixed ? BIT(fixed.bit) : 0));
    u64 permille = counter_read(gp) * 1000 / slept;
    measure(t, "gp-cycles", "permille-of-tsc", permille);
    check_range(t, "counts-in-halt", permille, 0, HALF, gp.msr);
    if (!has_fixed)
        return more_samples(taken);
    permille = counter_read(fixed) * 1000 / slept;
    measure(t, "fixed-cycles", "permille-of-tsc", permille);
    check_range(t, "counts-in-halt", permille, 0, HALF, fixed.msr);
    return more_samples(taken);
}

static void halt(struct test *t)
{
    u32 taken = 0;
    repeat_clean(t, sleep_once, &taken);
}

TEST("gp.halt", .title = "Core cycles are not counted in HLT",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "B-063,A-096",
     .needs = {.version = 2, .event = 1, .apic = true}, .scope = EACH_CPU, .run = halt, .measures = true);
