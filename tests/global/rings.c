/*
 * At CPL 0 a counter counts with its OS bit set, whether or not its USR bit is, and with neither it counts nothing.
 * Judged as the difference between a short and a long run, on every counter of instructions at once.
 */
#include "harness/provoke.h"

#define SHORT_K 1
#define LONG_K 5

static const struct {
    const char *label;
    unsigned flags;
    bool counts;
} filters[] = {
    {"both-at-cpl-0", COUNT_OS | COUNT_USR, true},
    {"neither-at-cpl-0", 0, false},
};

static void rings(struct test *t)
{
    const struct workload *w = &workloads[0];
    struct counter list[COUNTERS_MAX];
    struct slope slope[COUNTERS_MAX];
    unsigned n = counters_for(t, ARCH_EVENT_INSTRUCTIONS, list);
    for_each_row (filters, f) {
        setup_counters(list, n, ARCH_EVENT_INSTRUCTIONS, f->flags);
        count_slope(t, w, list, n, SHORT_K, LONG_K, false, slope);
        for (unsigned i = 0; i < n; i++)
            check_slope(t, f->label, &list[i], &slope[i], f->counts ? w->instructions_per_k * (LONG_K - SHORT_K) : 0);
    }
}

TEST("global.rings", .title = "At CPL 0 counters count with OS set, and not with neither bit",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-056,A-095",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .run = rings);
