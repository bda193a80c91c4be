/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bit 32 + i of IA32_PERF_GLOBAL_INUSE says that fixed counter i is claimed. It follows the two enable bits of the
 * counter's field in IA32_FIXED_CTR_CTRL, not its interrupt bit and not the other fields. The manual defines the bit
 * for counters 0 to 2 only.
 */
#include "harness/around.h"
#include "harness/test.h"

static const struct {
    const char *label;
    u64 field;
    bool in_use;
} patterns[] = {
    {"not-enabled", 0, false},
    {"os-only", FIXED_OS(0), true},
    {"usr-only", FIXED_USR(0), true},
    {"both", FIXED_OS(0) | FIXED_USR(0), true},
    {"not-enabled", FIXED_PMI(0), false},
};

static void each_pattern(struct test *t, unsigned i)
{
    under_test(t, GLOBAL_FIXED(i), GLOBAL_FIXED(i));
    for_each_row (patterns, p) {
        write_msr(t, MSR_FIXED_CTR_CTRL, p->field << 4 * i);
        check_bit(t, p->label, MSR_PERF_GLOBAL_INUSE, INUSE_FIXED(i), p->in_use);
    }
}

static void fixed_enables(struct test *t)
{
    for_each_fixed_counter (t, i)
        if (i < INUSE_FIXED_NAMED)
            each_pattern(t, i);
}

TEST("inuse.fixed-enables", .title = "INUSE bit 32 + i follows the two enable bits of fixed counter i",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-016",
     .needs = {.version = 4, .fixed = true}, .scope = EACH_CPU, .run = fixed_enables,
     .aside = ASIDE_COUNTERS | ASIDE(AROUND_FROZEN));
