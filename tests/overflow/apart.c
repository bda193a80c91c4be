/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two counters that wrap at the same instruction, or up to eight instructions apart, both set their bits of
 * IA32_PERF_GLOBAL_STATUS, and no other counter's, whichever has the higher number. Both count the same event, are
 * started and stopped by one write each, and are stopped well past both wraps; if both are GP counters, each holds the
 * count of a run from 0, less the distance of its preset below the end.
 */
#include "harness/test.h"

#define BELOW_END 30
#define APART 8
#define K 10 /* 126 instructions: more than 64 after the last overflow */

/* `below_end`: how many counts each needs to wrap; 0: it starts at 0. */
struct pair {
    struct counter counter[2];
    u64 below_end[2];
};

static u64 run_pair(struct test *t, const struct pair *p, u64 counted[2])
{
    u64 mask = BIT(p->counter[0].bit) | BIT(p->counter[1].bit);
    pmu_status_clear(caps_counter_bits(t->caps));
    for (unsigned i = 0; i < 2; i++)
        counter_setup(p->counter[i], ARCH_EVENT_INSTRUCTIONS, COUNT_OS, counter_preset(p->counter[i], p->below_end[i]));
    run_block(t, mask, K);
    settle();
    for (unsigned i = 0; i < 2; i++)
        counted[i] = counter_read(p->counter[i]);
    return read_msr(t, MSR_PERF_GLOBAL_STATUS) & caps_counter_bits(t->caps);
}

static void wrap_apart(struct test *t, struct counter first, struct counter second, u64 distance)
{
    struct pair p = {{first, second}, {0, 0}};
    u64 plain[2], counted[2], both = BIT(first.bit) | BIT(second.bit);
    check_equal(t, "set-from-0", run_pair(t, &p, plain), 0, MSR_PERF_GLOBAL_STATUS);
    p.below_end[0] = BELOW_END;
    p.below_end[1] = BELOW_END + distance;
    check_equal(t, "not-set", run_pair(t, &p, counted), both, MSR_PERF_GLOBAL_STATUS);
    for (unsigned i = 0; i < 2 && !first.fixed && !second.fixed; i++)
        check_count(t, "value", counted[i], plain[i] - p.below_end[i], p.counter[i].msr);
    counter_clear(first);
    counter_clear(second);
}

/* Neighbours first, then ever farther apart; at the end of the list the second one has the lower number. */
static bool one_pair(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = counters_for(t, ARCH_EVENT_INSTRUCTIONS, list);
    unsigned first = t->turn % n, second = (first + 1 + t->turn / n % (n - 1)) % n;
    for (u64 distance = 0; distance <= APART; distance++)
        wrap_apart(t, list[first], list[second], distance);
    return more_samples(t);
}

static void need_two_counters(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = counters_for(t, ARCH_EVENT_INSTRUCTIONS, list);
    if (n < 2)
        skip(t, "CPUID.0AH:EAX=0x%x: %u counters can count instructions, two are needed", t->caps->leaf0a.eax, n);
}

TEST("overflow.apart", .title = "Counters that wrap together or shortly after each other all set their bits",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "B-046,B-049",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .prepare = need_two_counters, .repeat = one_pair);
