/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A fixed counter carries through every bit of its width, like a general-purpose one: when it crosses a power of two
 * above bit 31, the bits below become 0 and that bit 1. In a counter whose upper half is a separate part, a lost carry
 * shows there.
 *
 * Judged is that each carry arrives, for counters of instructions and of cycles, and that none is taken for the
 * counter's overflow; other tests judge how much they count for a block.
 */
#include "harness/provoke.h"

#define K 500          /* 6,006 instructions: at least 200 cycles of the slowest clock */
#define BEFORE 100     /* events until the carry */
#define FIRST_CARRY 32 /* other tests cross the bits below */

struct place {
    struct counter counter;
    unsigned bit;
};

static bool one_carry(struct test *t, void *argument)
{
    const struct place *place = argument;
    struct counter c = place->counter;
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, BIT(place->bit) - BEFORE);
    run_block(t, BIT(c.bit), K);
    check_bit(t, "carry-lost", c.msr, BIT(place->bit), true);
    settle();
    check_bit(t, "taken-for-overflow", MSR_PERF_GLOBAL_STATUS, BIT(c.bit), false);
    pmu_status_clear(BIT(c.bit));
    counter_clear(c);
    return false;
}

static void carry(struct test *t)
{
    if (t->caps->fixed_width <= FIRST_CARRY)
        skip(t, "fixed counters have only %u bits", t->caps->fixed_width);
    for (unsigned i = FIXED_INSTRUCTIONS; i <= FIXED_CORE_CYCLES; i++) {
        struct place place = {fixed_counter(t->caps, i), FIRST_CARRY};
        if (!(t->caps->fixed_bitmap >> i & 1))
            continue;
        for (; place.bit < place.counter.width; place.bit++)
            repeat_clean(t, one_carry, &place);
    }
}

TEST("fixed.carry", .title = "Fixed counters carry through every bit of their width",
     .spec = "SDM 3B, Fixed-function Performance Counters", .covers = "A-100,B-054",
     .needs = {.version = 2, .fixed = true}, .scope = EACH_CPU, .run = carry);
