/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter overflows when it goes from its highest value to 0, and only then: preset to -1, -2 or a little less, it
 * sets its bit of IA32_PERF_GLOBAL_STATUS on the way; started at 0 it does not. Its final value is that of a run from
 * 0, less the distance of the preset below the end. A preset with the lower half 0 and the upper half full is far from
 * the end, and so are those from which the count carries into bit 31, bit 32 or the highest bit. The GP counters run
 * together, fixed counter 0 after them; all are stopped well past the overflow.
 */
#include "harness/test.h"

#define K 10 /* 126 instructions: more than 64 after the last overflow */
#define CARRY_AFTER 40

static const u64 presets[] = {1, 2, 40}; /* below the end */

struct edges {
    struct counter list[COUNTERS_MAX];
    unsigned n;
    u64 mask;
};

static u64 run_from(struct test *t, const struct edges *e, u64 below_end)
{
    for (unsigned i = 0; i < e->n; i++)
        counter_setup(e->list[i], ARCH_EVENT_INSTRUCTIONS, COUNT_OS, counter_preset(e->list[i], below_end));
    run_block_exactly(t, e->mask, K);
    settle();
    return read_msr(t, MSR_PERF_GLOBAL_STATUS);
}

/*
 * A preset from which no overflow is near. Only a full-width write can set most of them: returns false if a counter
 * does not take it.
 */
static bool run_far(struct test *t, const struct edges *e, u64 (*start_of)(struct counter c, unsigned bit),
                    unsigned bit)
{
    for (unsigned i = 0; i < e->n; i++) {
        u64 start = start_of(e->list[i], bit);
        if (e->list[i].width <= 32 || !counter_write(e->list[i], start))
            return false;
        counter_setup(e->list[i], ARCH_EVENT_INSTRUCTIONS, COUNT_OS, start);
    }
    run_block_exactly(t, e->mask, K);
    settle();
    return true;
}

/* The lower 32 bits are 0 and all upper ones 1: a counter with separate halves may look only at the lower one. */
static u64 upper_half(struct counter c, unsigned bit)
{
    (void)bit;
    return counter_mask(c.width) & ~MASK(31, 0);
}

/* A little below 2^bit, or with 0 below the highest bit: a signed or shorter counter would wrap there. */
static u64 below_carry(struct counter c, unsigned bit)
{
    return BIT(bit ? bit : c.width - 1u) - CARRY_AFTER;
}

static void far_from_end(struct test *t, const struct edges *e)
{
    static const u8 carries[] = {31, 32, 0};
    u64 set = 0;
    if (run_far(t, e, upper_half, 0))
        check_bits(t, "set-by-lower-half", MSR_PERF_GLOBAL_STATUS, e->mask, 0);
    pmu_status_clear(e->mask);
    for (unsigned i = 0; i < ARRAY_SIZE(carries); i++)
        if (run_far(t, e, below_carry, carries[i]))
            set |= read_msr(t, MSR_PERF_GLOBAL_STATUS) & e->mask;
    check_equal(t, "set-by-carry", set, 0, MSR_PERF_GLOBAL_STATUS);
    pmu_status_clear(e->mask);
}

static bool one_preset(struct test *t, void *argument)
{
    struct edges *e = argument;
    u64 plain[COUNTERS_MAX], below_end = presets[t->turn % ARRAY_SIZE(presets)];
    pmu_status_clear(e->mask);
    check_equal(t, "set-from-0", run_from(t, e, 0) & e->mask, 0, MSR_PERF_GLOBAL_STATUS);
    for (unsigned i = 0; i < e->n; i++)
        plain[i] = counter_read(e->list[i]);
    check_equal(t, "not-set", run_from(t, e, below_end) & e->mask, e->mask, MSR_PERF_GLOBAL_STATUS);
    for (unsigned i = 0; i < e->n; i++)
        check_count(t, "value", counter_read(e->list[i]), plain[i] - below_end, e->list[i].msr);
    pmu_status_clear(e->mask);
    far_from_end(t, e);
    return more_samples(t);
}

static void edges(struct test *t)
{
    struct edges e = {0};
    e.n = counters_for(t, ARCH_EVENT_INSTRUCTIONS, e.list);
    for (unsigned i = 0; i < e.n; i++)
        e.mask |= BIT(e.list[i].bit);
    repeat_clean(t, one_preset, &e);
}

TEST("overflow.edges", .title = "A counter overflows when it goes from its highest value to 0, and only then",
     .spec = "SDM 3B, Architectural Performance Monitoring", .covers = "B-049,A-105,A-106",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .run = edges);
