/*
 * A counter overflows when it goes from its highest value to 0, and only then: preset to -1, -2 or a little less, it
 * sets its bit of IA32_PERF_GLOBAL_STATUS on the way; started at 0 it does not. Its final value is that of a run from
 * 0, less the distance of the preset below the end. A preset with the lower half 0 and the upper half full is far from
 * the end. The GP counters run together, fixed counter 0 after them; all are stopped well past the overflow.
 */
#include "harness/provoke.h"
#include "harness/samples.h"

#define K 10 /* 126 instructions: more than 64 after the last overflow */

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
 * A preset with its lower 32 bits 0 and all upper ones 1: no overflow is near, though a counter with separate halves
 * may report one because its lower half is 0. Only a full-width write can set it.
 */
static void upper_half_only(struct test *t, struct edges *e)
{
    for (unsigned i = 0; i < e->n; i++) {
        u64 start = counter_mask(e->list[i].width) & ~MASK(31, 0);
        if (e->list[i].width <= 32 || !counter_write(e->list[i], start))
            return;
        counter_setup(e->list[i], ARCH_EVENT_INSTRUCTIONS, COUNT_OS, start);
    }
    run_block_exactly(t, e->mask, K);
    settle();
    check_bits(t, "set-by-lower-half", MSR_PERF_GLOBAL_STATUS, e->mask, 0);
}

static bool one_preset(struct test *t, void *argument)
{
    struct edges *e = argument;
    u64 plain[COUNTERS_MAX], below_end = presets[t->turn % ARRAY_SIZE(presets)];
    check_equal(t, "set-from-0", run_from(t, e, 0) & e->mask, 0, MSR_PERF_GLOBAL_STATUS);
    for (unsigned i = 0; i < e->n; i++)
        plain[i] = counter_read(e->list[i]);
    check_equal(t, "not-set", run_from(t, e, below_end) & e->mask, e->mask, MSR_PERF_GLOBAL_STATUS);
    for (unsigned i = 0; i < e->n; i++)
        check_count(t, "value", counter_read(e->list[i]), plain[i] - below_end, e->list[i].msr);
    pmu_status_clear(e->mask);
    upper_half_only(t, e);
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
