/*
 * A stopped fixed counter holds any value of its width and reads it back whole.
 */
#include "harness/test.h"

static const u64 patterns[] = {
    0, ~0ull, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 0x00000000ffffffff, 0xffffffff00000000, 1, ~1ull,
};

static void read_back(struct test *t)
{
    for_each_fixed_counter (t, i)
        for_each_row (patterns, p) {
            u64 value = *p & counter_mask(t->caps->fixed_width);
            write_msr(t, MSR_FIXED_CTR(i), value);
            check_bits(t, "value", MSR_FIXED_CTR(i), ~0ull, value);
        }
}

TEST("fixed.read-back", .title = "Fixed counters read back what was written",
     .spec = "SDM 3B, Fixed-function Performance Counters", .covers = "B-054", .needs = {.version = 2, .fixed = true},
     .scope = EACH_CPU, .run = read_back);
