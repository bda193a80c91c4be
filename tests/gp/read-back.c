/*
 * With IA32_PERF_CAPABILITIES[13] a general-purpose counter can be written at its full width through IA32_A_PMCn. The
 * value reads back whole, there and under the counter's old name IA32_PMCn, and nothing above the width is ever set.
 *
 * Sampling presets a counter close to its end: one bit that is lost there is a sample that never comes.
 */
#include "harness/test.h"

static const u64 patterns[] = {
    0, ~0ull, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 0x00000000ffffffff, 0xffffffff00000000, 1, ~1ull,
};

static void read_back(struct test *t)
{
    for_each_gp_counter (t, n)
        for_each_row (patterns, p) {
            u64 value = *p & counter_mask(t->caps->gp_width);
            write_msr(t, MSR_A_PMC(n), value);
            check_bits(t, "full-width", MSR_A_PMC(n), ~0ull, value);
            check_bits(t, "legacy-name", MSR_PMC(n), ~0ull, value);
        }
}

TEST("gp.read-back", .title = "GP counters read back what was written at full width",
     .spec = "SDM 3B, Full-Width Writes to Performance Counter Registers", .covers = "A-088 B-054",
     .needs = {.version = 1, .full_width = true}, .scope = EACH_CPU, .run = read_back);
