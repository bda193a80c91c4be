/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * UNHALTED CORE CYCLES counts while the core runs. The number of cycles for a block is not promised, but no core
 * retires more than 16 instructions per cycle, and warm arithmetic never takes 64 cycles per instruction: the
 * difference between the fastest of many short runs and the fastest of many long ones must lie between these bounds.
 */
#include "harness/test.h"

/* Counts k iterations on each counter, and keeps the fastest run of that length. */
static void run(struct test *t, struct fastest *fastest, u64 k)
{
    u64 before[GP_COUNTERS_MAX];
    for_each_gp_counter (t, n)
        before[n] = read_msr(t, MSR_PMC(n));
    run_block(t, caps_gp_bits(t->caps), k);
    for_each_gp_counter (t, n) {
        u64 cycles = (read_msr(t, MSR_PMC(n)) - before[n]) & counter_mask(t->caps->gp_width);
        fastest_add(&fastest[n], k, cycles);
        if (!n && k == CYCLES_LONG_K)
            measure(t, "block", "cycles", cycles);
    }
}

static bool both_lengths(struct test *t, void *fastest)
{
    run(t, fastest, CYCLES_SHORT_K);
    run(t, fastest, CYCLES_LONG_K);
    return true;
}

static void cycles(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    struct fastest fastest[GP_COUNTERS_MAX] = {0};
    setup_counters(list, gp_counters(t, list), ARCH_EVENT_CORE_CYCLES, COUNT_OS);
    repeat_clean(t, both_lengths, fastest);
    for_each_gp_counter (t, n)
        check_cycles(t, &fastest[n], MSR_PMC(n));
}

TEST("gp.cycles", .title = "GP counters count a plausible number of core cycles",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "A-068",
     .needs = {.version = 2, .event = 1}, .scope = EACH_CPU, .run = cycles, .measures = true);
