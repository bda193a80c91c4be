/*
 * IA32_PERFEVTSELn.OS lets a counter count at CPL 0 and .USR above it; with neither it counts nothing. Each filter is
 * tried with a block at CPL 3, and the one that must not count at CPL 0 there. Judged as the difference between a short
 * and a long run: the way to CPL 3 and back is the same in both. (OS at CPL 0 is what gp.instructions counts.)
 *
 * A filter that leaks shows a program's profile the kernel's work, and the other way round.
 */
#include "harness/counting.h"

static void filters(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    check_filters(t, list, gp_counters(t, list));
}

TEST("gp.filters", .title = "GP counters count at the privilege levels that OS and USR name, and only there",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "A-095,B-056",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .run = filters);
