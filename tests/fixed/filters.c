/*
 * The two enable bits of a fixed counter in IA32_FIXED_CTR_CTRL let it count at CPL 0 and above it; with neither it is
 * off. Fixed counter 0 is judged exactly. Cycles cannot be, but a cycle counter that is off, or counts
 * only above CPL 0, has no reason to move at CPL 0.
 */
#include "harness/counting.h"

static void filters(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = 0;
    for_each_fixed_counter (t, i)
        list[n++] = fixed_counter(t->caps, i);
    check_filters(t, list, n);
}

TEST("fixed.filters", .title = "Fixed counters count at the privilege levels that their enable bits name",
     .spec = "SDM 3B, Fixed-function Performance Counters", .covers = "B-056", .needs = {.version = 2, .fixed = true},
     .scope = EACH_CPU, .run = filters);
