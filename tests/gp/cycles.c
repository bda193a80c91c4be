/*
 * UNHALTED CORE CYCLES counts while the core runs. How many cycles a block takes is no promise, but no core retires
 * more than 16 instructions in one, and warm arithmetic takes none of them 64: the quickest of many runs lies between.
 */
#include "harness/provoke.h"

#define SHORT_K 2
#define LONG_K 20
#define WIDEST 16
#define SLOWEST 64

struct quickest {
    u64 cycles[GP_COUNTERS_MAX];
};

static bool both_lengths(struct test *t, void *argument)
{
    struct quickest *quickest = argument;
    u64 cycles[GP_COUNTERS_MAX], mask = caps_gp_bits(t->caps);
    for_each_gp_counter (t, n)
        cycles[n] = read_msr(t, MSR_PMC(n));
    run_block(t, mask, SHORT_K);
    for_each_gp_counter (t, n)
        cycles[n] -= 2 * read_msr(t, MSR_PMC(n));
    run_block(t, mask, LONG_K);
    for_each_gp_counter (t, n) {
        cycles[n] = (cycles[n] + read_msr(t, MSR_PMC(n))) & counter_mask(t->caps->gp_width);
        if (cycles[n] < quickest->cycles[n])
            quickest->cycles[n] = cycles[n];
    }
    measure(t, "block", "cycles", cycles[0]);
    return true;
}

static void cycles(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    struct quickest quickest;
    u64 instructions = workloads[0].instructions_per_k * (LONG_K - SHORT_K);
    for_each_gp_counter (t, n)
        quickest.cycles[n] = ~0ull;
    setup_counters(list, gp_counters(t, list), ARCH_EVENT_CORE_CYCLES, COUNT_OS);
    repeat_clean(t, both_lengths, &quickest);
    if (throttled(t))
        skip(t, "the thermal monitor slowed the clock: cycles are only measured");
    for_each_gp_counter (t, n)
        check_range(t, "implausible", quickest.cycles[n], instructions / WIDEST, instructions * SLOWEST, MSR_PMC(n));
}

TEST("gp.cycles", .title = "GP counters count a plausible number of core cycles",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .needs = {.version = 2, .event = 1},
     .scope = EACH_CPU, .run = cycles, .measures = true);
