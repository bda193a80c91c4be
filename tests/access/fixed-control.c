/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_FIXED_CTR_CTRL has four bits for each fixed counter. The two enables and the interrupt bit of an enumerated
 * counter hold what is written. Fields of counters that the CPU cannot have are reserved and fault; that is judged only
 * if a dump of the class shows it, and only from the eighth field up, because hybrid CPUs have counters that the leaf
 * does not enumerate.
 */
#include "harness/test.h"

#define ABSENT_FIELDS MASK(63, 28)

static u64 defined(const struct test *t)
{
    u64 bits = 0;
    for_each_fixed_counter (t, i)
        if (i < FIXED_COUNTERS_MAX)
            bits |= FIXED_OS(i) | FIXED_USR(i) | FIXED_PMI(i);
    return bits;
}

static void judge(struct test *t, u32 msr, const struct bit_walk *walk)
{
    check_kept(t, "defined-bit-lost", msr, walk, defined(t));
    if (reserved_bits_judged(t->caps))
        check_faulting(t, "absent-field-accepted", msr, walk, ABSENT_FIELDS);
}

static void fixed_control(struct test *t)
{
    walk_family(t, MSR_FIXED_CTR_CTRL, 1, 0, judge);
}

TEST("access.fixed-control", .title = "The fields of enumerated fixed counters hold what is written",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "A-046,A-055,B-009",
     .needs = {.version = 2, .fixed = true}, .scope = EACH_CPU, .run = fixed_control, .measures = true);
