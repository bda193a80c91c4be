/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_GLOBAL_OVF_CTRL, from version 4 on IA32_PERF_GLOBAL_STATUS_RESET, accepts the overflow bit of every
 * enumerated counter without a fault. Which other bits it accepts, and what it reads as, differs between generations
 * and is in the log.
 */
#include "harness/test.h"

static void judge(struct test *t, u32 msr, const struct bit_walk *walk)
{
    check_equal(t, "overflow-bit-faults", walk->fault & caps_counter_bits(t->caps), 0, msr);
}

static void status_reset(struct test *t)
{
    walk_family(t, MSR_PERF_GLOBAL_STATUS_RESET, 1, 0, judge);
}

TEST("access.status-reset", .title = "The overflow bits of enumerated counters can be written to clear them",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "B-011", .needs = NEEDS_VERSION(2),
     .scope = EACH_CPU, .run = status_reset, .measures = true);
