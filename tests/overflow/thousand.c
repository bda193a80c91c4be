/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The thousandth overflow is like the first: it sets its counter's bit of IA32_PERF_GLOBAL_STATUS. All counters that
 * count exactly overflow at once, in round after round, up to 1,000 overflows, or more if the time budget allows; after
 * each round the bits are cleared. The first overflow that sets no bit is reported by its number, counted from 1,
 * within a round in the order of the counters. In a soak the numbers go on from one run of this test to the next.
 *
 * Profilers and replaying debuggers take millions of overflows in a row, and a lost one ends them.
 */
#include "harness/test.h"

#define OVERFLOWS 1000
#define ROUNDS 25 /* per repeat */
#define K 5       /* 66 instructions, the first of which overflows: more than 64 come after it */

static PER_CPU u64 taken; /* overflows so far */

struct many {
    struct counter counter[COUNTERS_MAX];
    unsigned n;
    u64 mask;
};

static struct many set_up(const struct test *t)
{
    struct many m = {.n = counters_for(t, ARCH_EVENT_INSTRUCTIONS, m.counter)};
    for (unsigned i = 0; i < m.n; i++) {
        counter_setup(m.counter[i], ARCH_EVENT_INSTRUCTIONS, COUNT_OS, 0);
        m.mask |= BIT(m.counter[i].bit);
    }
    return m;
}

/* Number of the first counter in the list that overflowed without setting its bit, from 1; 0 if all set it. */
static unsigned one_round(struct test *t, const struct many *m)
{
    for (unsigned i = 0; i < m->n; i++)
        counter_write(m->counter[i], counter_preset(m->counter[i], 1));
    run_block(t, m->mask, K);
    u64 status = read_msr(t, MSR_PERF_GLOBAL_STATUS);
    pmu_status_clear(m->mask);
    for (unsigned i = 0; i < m->n; i++)
        if (!(status & BIT(m->counter[i].bit)))
            return i + 1;
    return 0;
}

static bool some_rounds(struct test *t)
{
    struct many m = set_up(t);
    pmu_status_clear(m.mask);
    u64 *so_far = &of_cpu(taken, t->cpu), first = 0;
    if (!t->round && !t->turn)
        *so_far = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned missing = one_round(t, &m);
        if (missing && !first)
            first = *so_far + round * m.n + missing;
    }
    *so_far += ROUNDS * m.n;
    check_true(t, "first-missing", !first, first, "a bit for each overflow", 0); /* of several the first is shown */
    for (unsigned i = 0; i < m.n; i++)
        counter_clear(m.counter[i]);
    return (t->turn + 1) * ROUNDS * m.n < OVERFLOWS || budget().repeats > QUICK_REPEATS;
}

TEST("overflow.thousand", .title = "Each of a thousand overflows sets its bit",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "B-049,B-050",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .repeat = some_rounds);
