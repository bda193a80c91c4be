/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A general-purpose counter holds as many bits as CPUID leaf 0AH states, each independently. IA32_PMCn writes the lower
 * 32 bits, IA32_A_PMCn all of them. Through IA32_A_PMCn a bit above the width causes a general-protection fault, which
 * is judged if a dump of the class shows it. The log shows what happens to the upper half of a write to IA32_PMCn.
 */
#include "harness/test.h"

#define LEGACY_BITS 32

static void judge_legacy(struct test *t, u32 msr, const struct bit_walk *walk)
{
    check_kept(t, "lower-bit-lost", msr, walk, counter_mask(LEGACY_BITS));
    check_restored(t, msr, walk);
}

static void judge_full(struct test *t, u32 msr, const struct bit_walk *walk)
{
    u64 held = counter_mask(t->caps->gp_width);
    check_kept(t, "bit-lost", msr, walk, held);
    if (class_above_width_dumped(cpu_class(t->caps)))
        check_faulting(t, "above-width-accepted", msr, walk, ~held);
    check_restored(t, msr, walk);
}

static void gp_counters_walk(struct test *t)
{
    walk_family(t, MSR_PMC(0), t->caps->gp_bitmap, 0, judge_legacy);
    if (t->caps->full_width)
        walk_family(t, MSR_A_PMC(0), t->caps->gp_bitmap, 0, judge_full);
}

TEST("access.gp-counters", .title = "Every bit of a GP counter's width holds what is written",
     .spec = "SDM 3B, Full-Width Writes to Performance Counter Registers", .covers = "A-044,A-049,A-050,A-055,B-013",
     .needs = NEEDS_VERSION(2), .scope = EACH_CPU, .run = gp_counters_walk, .measures = true);
