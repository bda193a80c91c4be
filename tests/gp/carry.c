/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A general-purpose counter carries through every bit of its width: when it crosses a power of two, the bits below
 * become 0 and that bit 1. A machine lost 2^31 now and then; profiles of it were wrong by as much, and no error told.
 *
 * All counters cross the same bit in one run. The bits below the first one here are crossed by every test that counts
 * exactly. Counters that cannot be written beyond bit 31 are started below that.
 */
#include "harness/test.h"

#define K 50           /* 606 instructions */
#define BEFORE 100     /* of them until the carry */
#define FIRST_CARRY 11 /* more than a run counts */

struct crossed {
    unsigned bit;
    u64 lost[GP_COUNTERS_MAX]; /* of each counter, the bits that it did not carry into */
    u64 taken;                 /* overflow bits that a carry has set */
};

/* A repeat that was disturbed is made once more, and what it found is overwritten. */
static bool one_carry(struct test *t, void *argument)
{
    struct crossed *crossed = argument;
    u64 bit = BIT(crossed->bit), all = caps_gp_bits(t->caps);
    pmu_status_clear(all);
    for_each_gp_counter (t, n)
        counter_setup(gp_counter(t->caps, n), ARCH_EVENT_INSTRUCTIONS, COUNT_OS, bit - BEFORE);
    run_block(t, all, K);
    for_each_gp_counter (t, n)
        crossed->lost[n] = (crossed->lost[n] & ~bit) | (~counter_read(gp_counter(t->caps, n)) & bit);
    settle();
    crossed->taken |= read_msr(t, MSR_PERF_GLOBAL_STATUS) & all;
    for_each_gp_counter (t, n)
        counter_clear(gp_counter(t->caps, n));
    return false;
}

static void carry(struct test *t)
{
    unsigned width = t->caps->gp_width, end = t->caps->full_width || width < 32 ? width : 32;
    struct crossed crossed = {.bit = FIRST_CARRY};
    for (; crossed.bit < end; crossed.bit++)
        repeat_clean(t, one_carry, &crossed);
    for_each_gp_counter (t, n)
        check_equal(t, "carry-lost", crossed.lost[n], 0, gp_counter(t->caps, n).msr);
    check_equal(t, "taken-for-overflow", crossed.taken, 0, MSR_PERF_GLOBAL_STATUS);
}

TEST("gp.carry", .title = "General-purpose counters carry through every bit of their width",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "A-100,B-054",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .run = carry);
