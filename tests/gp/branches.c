/*
 * BRANCH INSTRUCTIONS RETIRED counts every near branch that retires, taken or not: conditional and unconditional jumps,
 * calls and returns. On each general-purpose counter, judged as the difference between a short and a long run.
 *
 * Record-and-replay debuggers find their place in a program by this count alone.
 */
#include "harness/provoke.h"

#define SHORT_K 2
#define LONG_K 10

static void count(struct test *t, const struct workload *w)
{
    struct counter list[COUNTERS_MAX];
    struct slope slope[COUNTERS_MAX];
    unsigned n = gp_counters(t, list);
    setup_counters(list, n, ARCH_EVENT_BRANCHES, COUNT_OS);
    count_slope(t, w, list, n, SHORT_K, LONG_K, false, slope);
    for (unsigned i = 0; i < n; i++)
        check_slope(t, w->name, &list[i], &slope[i], w->branches_per_k * (LONG_K - SHORT_K));
}

static void branches(struct test *t)
{
    count(t, workload("plain"));
    count(t, workload("branches"));
}

TEST("gp.branches", .title = "GP counters count retired branches exactly",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "A-074",
     .needs = {.version = 2, .event = 6}, .scope = EACH_CPU, .run = branches);
