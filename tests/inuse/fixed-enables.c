/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bit 32 + i of IA32_PERF_GLOBAL_INUSE says that fixed counter i is claimed. It follows the two enable bits of the
 * counter's field in IA32_FIXED_CTR_CTRL, not its interrupt bit and not the other fields. The manual defines the bit
 * for counters 0 to 2 only.
 */
#include "harness/test.h"

#define VALUES 16 /* of a field */

/* By the two enable bits; the others, where the CPU has them, change nothing. */
static const char *const labels[] = {"not-enabled", "os-only", "usr-only", "both"};

static void each_value(struct test *t, unsigned i)
{
    u64 legal = gate_bits(t->caps, MSR_FIXED_CTR_CTRL) >> 4 * i;
    under_test(t, GLOBAL_FIXED(i), GLOBAL_FIXED(i));
    for_each_own_turn (t, field, VALUES) {
        if (field & ~legal)
            continue;
        write_msr(t, MSR_FIXED_CTR_CTRL, (u64)field << 4 * i);
        check_bit(t, labels[field & 3], MSR_PERF_GLOBAL_INUSE, INUSE_FIXED(i), field & 3);
    }
}

static void fixed_enables(struct test *t)
{
    for_each_fixed_counter (t, i)
        if (i < INUSE_FIXED_NAMED)
            each_value(t, i);
}

TEST("inuse.fixed-enables", .title = "INUSE bit 32 + i follows the two enable bits of fixed counter i",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-016",
     .needs = {.version = 4, .fixed = true}, .scope = EACH_CPU, .run = fixed_enables,
     .aside = ASIDE_COUNTERS | ASIDE_ACTIVITY);
