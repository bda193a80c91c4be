/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A fixed counter carries through every bit of its width, like a general-purpose one: when it crosses a power of two,
 * the bits below become 0 and that bit 1. In a counter whose upper half is a separate part, a lost carry shows there.
 *
 * Judged is that each carry arrives, for counters of instructions and of cycles, and that none is taken for the
 * counter's overflow; other tests judge how much they count for a block.
 */
#include "harness/test.h"

#define K 500          /* 6,006 instructions: at least 200 cycles of the slowest clock */
#define BEFORE 100     /* events until the carry */
#define FIRST_CARRY 20 /* more than a run counts; tests that count exactly cross the bits below */

/* Of instructions and of cycles, as far as the CPU has them: their bits of IA32_PERF_GLOBAL_CTRL. */
static u64 judged(const struct test *t)
{
    return caps_counter_bits(t->caps) & (GLOBAL_FIXED(FIXED_INSTRUCTIONS) | GLOBAL_FIXED(FIXED_CORE_CYCLES));
}

static bool one_carry(struct test *t, void *argument)
{
    unsigned bit = *(const unsigned *)argument;
    pmu_status_clear(judged(t));
    for_each_fixed_counter (t, i)
        if (judged(t) & GLOBAL_FIXED(i))
            counter_setup(fixed_counter(t->caps, i), 0, COUNT_OS, BIT(bit) - BEFORE);
    run_block(t, judged(t), K);
    settle();
    for_each_fixed_counter (t, i)
        if (judged(t) & GLOBAL_FIXED(i)) {
            check_bit(t, "carry-lost", MSR_FIXED_CTR(i), BIT(bit), true);
            check_bit(t, "taken-for-overflow", MSR_PERF_GLOBAL_STATUS, STATUS_FIXED(i), false);
            counter_clear(fixed_counter(t->caps, i));
        }
    return false;
}

static void carry(struct test *t)
{
    if (t->caps->fixed_width <= FIRST_CARRY)
        skip(t, "fixed counters have only %u bits", t->caps->fixed_width);
    for (unsigned bit = FIRST_CARRY; judged(t) && bit < t->caps->fixed_width; bit++)
        repeat_clean(t, one_carry, &bit);
}

TEST("fixed.carry", .title = "Fixed counters carry through every bit of their width",
     .spec = "SDM 3B, Fixed-function Performance Counters", .covers = "A-100,B-054",
     .needs = {.version = 2, .fixed = true}, .scope = EACH_CPU, .run = carry);
