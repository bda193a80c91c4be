/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * At CPL 0 a counter counts if its OS bit is set, whether or not its USR bit is set; with neither it counts nothing.
 * Judged is the difference between a short and a long run, on all GP counters at once, and on fixed counter 0.
 */
#include "harness/test.h"

static const struct filter filters[] = {
    {"both-at-cpl-0", COUNT_OS | COUNT_USR, .counts = true},
    {"neither-at-cpl-0", 0, .counts = false},
};

static void rings(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = counters_for(t, ARCH_EVENT_INSTRUCTIONS, list), gp = t->caps->gp_count;
    for_each_row (filters, filter) {
        check_filter(t, filter, list, gp);
        if (n > gp)
            check_filter(t, filter, list + gp, n - gp);
    }
}

TEST("global.rings", .title = "At CPL 0 counters count with OS set, and not with neither bit",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-056,A-095",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .run = rings);
