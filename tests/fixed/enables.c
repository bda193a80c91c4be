/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A fixed counter counts only while two enables are set: its field of IA32_FIXED_CTR_CTRL and bit 32 + i of
 * IA32_PERF_GLOBAL_CTRL. With only one of them it must count nothing at all.
 */
#include "harness/test.h"

#define K 40 /* the reference clock is slow and advances in large steps */

static const struct {
    const char *label;
    bool control, global, counts;
} cases[] = {
    {"control-alone", true, false, false},
    {"global-alone", false, true, false},
    {"both", true, true, true},
};

static bool each_case(struct test *t)
{
    u64 fields = 0, enables = 0;
    for_each_fixed_counter (t, i) {
        fields |= FIXED_OS(i);
        enables |= GLOBAL_FIXED(i);
    }
    under_test(t, enables, 0);
    for_each_row (cases, c) {
        u64 before[FIXED_COUNTERS_MAX];
        write_msr(t, MSR_FIXED_CTR_CTRL, c->control ? fields : 0);
        for_each_fixed_counter (t, i)
            before[i] = read_msr(t, MSR_FIXED_CTR(i));
        run_block(t, c->global ? enables : 0, c->counts ? K : 1);
        for_each_fixed_counter (t, i) {
            u64 counted = read_msr(t, MSR_FIXED_CTR(i)) - before[i];
            if (!c->counts || i == FIXED_INSTRUCTIONS)
                check_true(t, c->label, (counted != 0) == c->counts, counted, c->counts ? "a count" : "no count",
                           MSR_FIXED_CTR(i));
        }
    }
    return true;
}

TEST("fixed.enables", .title = "A fixed counter counts only with both its enables set",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .needs = {.version = 2, .fixed = true},
     .scope = EACH_CPU, .repeat = each_case, .aside = ASIDE_COUNTERS | ASIDE_FIELDS | ASIDE(AROUND_SAMPLED));
