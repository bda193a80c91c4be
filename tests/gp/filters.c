/*
 * IA32_PERFEVTSELn.OS lets a counter count at CPL 0 and .USR above it; with neither it counts nothing. Each filter is
 * tried with a block at CPL 3, and the one that must not count at CPL 0 there. Judged as the difference between a short
 * and a long run: the way to CPL 3 and back is the same in both. (OS at CPL 0 is what gp.instructions counts.)
 *
 * A filter that leaks shows a program's profile the kernel's work, and the other way round.
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

static void filters_at_both_levels(struct test *t)
{
    const struct workload *w = &workloads[0];
    struct counter list[COUNTERS_MAX];
    struct slope slope[COUNTERS_MAX];
    unsigned n = gp_counters(t, list);
    for_each_row (filters, f) {
        setup_counters(list, n, ARCH_EVENT_INSTRUCTIONS, f->flags);
        count_slope(t, w, list, n, SHORT_K, LONG_K, f->user, slope);
        for (unsigned i = 0; i < n; i++)
            check_slope(t, f->label, &list[i], &slope[i], f->counts ? w->instructions_per_k * (LONG_K - SHORT_K) : 0);
    }
}

TEST("gp.filters", .title = "GP counters count at the privilege levels that OS and USR name, and only there",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "A-095 B-056",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .run = filters_at_both_levels);
