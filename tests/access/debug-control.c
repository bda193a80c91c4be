/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * On a CPU with version 2 and IA32_PERF_CAPABILITIES, IA32_DEBUGCTL has the two bits that freeze counters and branch
 * records on a PMI: they hold what is written. This test tries only them, the LBR enable and the freeze in SMM: every
 * other bit starts something that it cannot handle.
 */
#include "harness/test.h"

#define FREEZE_BITS (DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI)

/* A bit that was not tried must not pass for kept: it says nothing. */
static void judge(struct test *t, u32 msr, const struct bit_walk *walk)
{
    u64 refused = walk->untried & FREEZE_BITS;
    if (refused)
        error(t, "the write gate refused to try bits 0x%lx: %s", refused, gate_refusal().rule);
    check_kept(about(t, ASPECT_ANSWERS), "freeze-bit-lost", msr, walk, FREEZE_BITS);
}

static void debug_control(struct test *t)
{
    if (!t->caps->pdcm)
        skip(t, "CPUID.1:ECX[15]=0: no IA32_PERF_CAPABILITIES, no freezing");
    walk_family(t, MSR_DEBUGCTL, 1, 0, judge);
}

TEST("access.debug-control", .title = "The bits that freeze on a PMI hold what is written",
     .spec = "SDM 3B, IA32_DEBUGCTL MSR", .covers = "B-030", .needs = NEEDS_VERSION(2), .scope = EACH_CPU,
     .run = debug_control, .measures = true);
