/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fixed counter 1 counts core cycles. The number for a block is not promised, but no core retires more than 16
 * instructions per cycle, and warm arithmetic never takes 64 cycles per instruction. Fixed counter 2 counts at the
 * TSC's rate; it advances in large steps, and throttling stops it, so its rate is only measured.
 */
#include "harness/test.h"

static u64 run_and_read(struct test *t, struct counter counter, u64 k)
{
    u64 before = counter_read(counter);
    run_block(t, BIT(counter.bit), k);
    return (counter_read(counter) - before) & counter_mask(counter.width);
}

static bool core_cycles(struct test *t, void *argument)
{
    struct fastest *fastest = argument;
    struct counter counter = fixed_counter(t->caps, FIXED_CORE_CYCLES);
    u64 longer = run_and_read(t, counter, CYCLES_LONG_K);
    fastest_add(fastest, CYCLES_LONG_K, longer);
    fastest_add(fastest, CYCLES_SHORT_K, run_and_read(t, counter, CYCLES_SHORT_K));
    measure(t, "block", "cycles", longer);
    return true;
}

static bool reference_rate(struct test *t, void *argument)
{
    const struct counter *counter = argument;
    u64 start = time_now();
    u64 cycles = run_and_read(t, *counter, CYCLES_LONG_K);
    measure(t, "reference-rate", "permille-of-tsc", cycles * 1000 / (time_now() - start));
    return true;
}

static void measure_reference(struct test *t)
{
    if (!(t->caps->fixed_bitmap & BIT(FIXED_REF_CYCLES)))
        return;
    struct counter counter = fixed_counter(t->caps, FIXED_REF_CYCLES);
    counter_setup(counter, 0, COUNT_OS, 0);
    repeat_clean(t, reference_rate, &counter);
}

static void cycles(struct test *t)
{
    struct fastest fastest = {0};
    if (!(t->caps->fixed_bitmap & BIT(FIXED_CORE_CYCLES)))
        skip(t, "CPUID.0AH:EDX=0x%08x: fixed counter 1 does not exist", t->caps->leaf0a.edx);
    measure_reference(t);
    counter_setup(fixed_counter(t->caps, FIXED_CORE_CYCLES), 0, COUNT_OS, 0);
    repeat_clean(t, core_cycles, &fastest);
    check_cycles(t, &fastest, MSR_FIXED_CTR(FIXED_CORE_CYCLES));
}

TEST("fixed.cycles", .title = "Fixed counter 1 counts a plausible number of core cycles",
     .spec = "SDM 3B, Fixed-function Performance Counters", .covers = "A-072,A-078,B-062",
     .needs = {.version = 2, .fixed = true}, .scope = EACH_CPU, .run = cycles, .measures = true);
