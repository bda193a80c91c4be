/*
 * INSTRUCTIONS RETIRED counts every instruction that retires, once, on each general-purpose counter. Judged as the
 * difference between a short and a long run of the same block, so that what starting and stopping costs, which no
 * manual says, is not part of it.
 *
 * A counter that is off by one in a thousand makes profiles slightly wrong and record-and-replay debuggers useless.
 */
#include "harness/provoke.h"

#define SHORT_K 2
#define LONG_K 10

static void count(struct test *t, const struct workload *w)
{
    struct counter list[COUNTERS_MAX];
    struct slope slope[COUNTERS_MAX];
    unsigned n = gp_counters(t, list);
    setup_counters(list, n, ARCH_EVENT_INSTRUCTIONS, COUNT_OS);
    count_slope(t, w, list, n, SHORT_K, LONG_K, false, slope);
    for (unsigned i = 0; i < n; i++)
        check_slope(t, w->name, &list[i], &slope[i], w->instructions_per_k * (LONG_K - SHORT_K));
}

static void instructions(struct test *t)
{
    count(t, workload("plain"));
    count(t, workload("branches"));
    count(t, workload("memory"));
}

TEST("gp.instructions", .title = "GP counters count retired instructions exactly",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "A-069 A-086 B-067",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .run = instructions);
