/*
 * The two enable bits of a fixed counter in IA32_FIXED_CTR_CTRL let it count at CPL 0 and above it; with neither it is
 * off. Fixed counter 0 is judged exactly. Cycles cannot be, but a cycle counter that is off, or counts
 * only above CPL 0, has no reason to move at CPL 0.
 */
#include "harness/provoke.h"

#define SHORT_K 1
#define LONG_K 5

static const struct {
    const char *label;
    unsigned flags;
    bool user, counts;
} filters[] = {
    {"usr-at-cpl-0", COUNT_USR, false, false},
    {"os-at-cpl-3", COUNT_OS, true, false},
    {"usr-at-cpl-3", COUNT_USR, true, true},
    {"both-at-cpl-3", COUNT_OS | COUNT_USR, true, true},
    {"neither", 0, true, false},
};

static unsigned fixed_counters(struct test *t, struct counter list[COUNTERS_MAX])
{
    unsigned n = 0;
    for_each_fixed_counter (t, i)
        list[n++] = fixed_counter(t->caps, i);
    return n;
}

static void filters_at_both_levels(struct test *t)
{
    const struct workload *w = &workloads[0];
    struct counter list[COUNTERS_MAX];
    struct slope slope[COUNTERS_MAX];
    unsigned n = fixed_counters(t, list);
    for_each_row (filters, f) {
        setup_counters(list, n, 0, f->flags);
        count_slope(t, w, list, n, SHORT_K, LONG_K, f->user, slope);
        for (unsigned i = 0; i < n; i++)
            if (counts_exactly(list[i]) || (!f->counts && !f->user))
                check_slope(t, f->label, &list[i], &slope[i],
                            f->counts ? w->instructions_per_k * (LONG_K - SHORT_K) : 0);
    }
}

TEST("fixed.filters", .title = "Fixed counters count at the privilege levels that their enable bits name",
     .spec = "SDM 3B, Fixed-function Performance Counters", .covers = "B-056", .needs = {.version = 2, .fixed = true},
     .scope = EACH_CPU, .run = filters_at_both_levels);
