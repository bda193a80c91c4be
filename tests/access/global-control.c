/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_GLOBAL_CTRL holds the enable bit of every enumerated counter. Writing a reserved bit faults. The leaf does
 * not say exactly which bits are reserved: hybrid cores accept bits of counters that it does not enumerate, and Core 2
 * accepts everything. Judged are bits that belong to no counter on any CPU, on classes for which a dump shows the
 * fault.
 */
#include "harness/test.h"

#define NEVER_DEFINED (MASK(31, 16) | MASK(62, 49))

static void judge(struct test *t, u32 msr, const struct bit_walk *walk)
{
    check_kept(t, "enable-bit-lost", msr, walk, caps_counter_bits(t->caps));
    if (reserved_bits_judged(t->caps))
        check_faulting(t, "reserved-accepted", msr, walk, NEVER_DEFINED);
}

static void global_control(struct test *t)
{
    walk_family(t, MSR_PERF_GLOBAL_CTRL, 1, 0, judge);
}

TEST("access.global-control", .title = "IA32_PERF_GLOBAL_CTRL holds the enable bits of enumerated counters",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "A-047,A-055,B-010",
     .needs = NEEDS_VERSION(2), .scope = EACH_CPU, .run = global_control, .measures = true);
