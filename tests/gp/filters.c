/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERFEVTSELn.OS lets a counter count at CPL 0 and .USR above it; with neither it counts nothing. Each filter is
 * tried with a block at CPL 3, and the filter for CPL 3 also at CPL 0, where it must not count. Judged is the
 * difference between a short and a long run: both have the same transitions to CPL 3 and back. (OS at CPL 0 is what
 * gp.instructions counts.)
 *
 * With a filter that leaks, a program's profile contains the kernel's work, or the reverse.
 */
#include "harness/test.h"

static void filters(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    check_filters(t, list, gp_counters(t, list));
}

TEST("gp.filters", .title = "GP counters count only at the privilege levels that OS and USR select",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "A-095,B-056",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .run = filters);
