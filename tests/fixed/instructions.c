/*
 * Fixed counter 0 counts every instruction that retires, once. Judged as the difference between a short and a long run
 * of the same block, so that what starting and stopping costs is not part of it.
 */
#include "harness/provoke.h"

#define SHORT_K 2
#define LONG_K 10

static void count(struct test *t, const struct workload *w)
{
    struct counter counter = fixed_counter(t->caps, FIXED_INSTRUCTIONS);
    struct slope slope;
    counter_setup(counter, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, 0);
    count_slope(t, w, &counter, 1, SHORT_K, LONG_K, false, &slope);
    check_slope(t, w->name, &counter, &slope, w->instructions_per_k * (LONG_K - SHORT_K));
}

static void instructions(struct test *t)
{
    count(t, workload("plain"));
    count(t, workload("branches"));
    count(t, workload("memory"));
}

TEST("fixed.instructions", .title = "Fixed counter 0 counts retired instructions exactly",
     .spec = "SDM 3B, Fixed-function Performance Counters", .covers = "A-078", .needs = {.version = 2, .fixed = true},
     .scope = EACH_CPU, .run = instructions);
