/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PMCn and IA32_A_PMCn are two names of one counter. A value written by the old name is read by the new one,
 * sign-extended, with nothing left of an earlier full-width value; and a count reads the same by both names, even if it
 * has carried into the upper half.
 */
#include "harness/test.h"

#define K 4
#define START 0x12fffffff0 /* the count will carry into the upper half */

static const u64 legacy[] = {0, 0x7fffffff, 0x80000000, 0x12345678};

static u64 extended(u64 value, u64 mask)
{
    return (value & BIT(31) ? value | MASK(63, 32) : value) & mask;
}

static void legacy_writes(struct test *t, unsigned n)
{
    u64 mask = counter_mask(t->caps->gp_width);
    for_each_row (legacy, value) {
        write_msr(t, MSR_A_PMC(n), 0x5555555555555555 & mask);
        write_msr(t, MSR_PMC(n), *value);
        check_bits(t, "legacy-write", MSR_A_PMC(n), ~0ull, extended(*value, mask));
    }
}

static void aliases(struct test *t)
{
    for_each_gp_counter (t, n) {
        legacy_writes(t, n);
        counter_setup(gp_counter(t->caps, n), ARCH_EVENT_INSTRUCTIONS, COUNT_OS,
                      START & counter_mask(t->caps->gp_width));
    }
    run_block(t, caps_gp_bits(t->caps), K);
    for_each_gp_counter (t, n)
        check_equal(t, "counted", read_msr(t, MSR_PMC(n)), read_msr(t, MSR_A_PMC(n)), MSR_PMC(n));
}

TEST("gp.aliases", .title = "IA32_PMCn and IA32_A_PMCn are one counter",
     .spec = "SDM 3B, Full-Width Writes to Performance Counter Registers", .covers = "B-054,B-055,A-048,A-049",
     .needs = {.version = 2, .event = 2, .full_width = true}, .scope = EACH_CPU, .run = aliases);
