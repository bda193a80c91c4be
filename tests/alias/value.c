/*
 * From version 6 on each counter has a second name: IA32_PMC_GPn_CTR is IA32_A_PMCn, IA32_PMC_FXm_CTR is
 * IA32_FIXED_CTRm. What is written by one name is read by the other, in the counter's full width, and no neighbour
 * changes.
 */
#include "harness/second_names.h"

static const u64 patterns[] = {0, ~0ull, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 0x80000000, 0x7fffffff, BIT(47), 1};

static void both_ways(struct test *t, struct counter c)
{
    u64 mask = counter_mask(c.width);
    for_each_row (patterns, value) {
        write_msr(t, c.msr, *value & mask);
        check_bits(t, "not-read", msr_ctr(c), ~0ull, *value & mask);
        write_msr(t, msr_ctr(c), ~*value & mask);
        check_bits(t, "not-written", c.msr, ~0ull, ~*value & mask);
    }
}

static u64 own_value(struct counter c)
{
    return (c.bit + 1) * 0x010203040506 & counter_mask(c.width);
}

/* All hold a value of their own, and one is given another by its second name. */
static void others_kept(struct test *t, struct counter written)
{
    write_msr(t, msr_ctr(written), ~own_value(written) & counter_mask(written.width));
    for_each_counter (t, c)
        if (c->bit != written.bit)
            check_bits(t, "other-counter", c->msr, ~0ull, own_value(*c));
    write_msr(t, written.msr, own_value(written));
}

static void value(struct test *t)
{
    need_second_names(t);
    for_each_counter (t, c)
        both_ways(t, *c);
    for_each_counter (t, c)
        write_msr(t, c->msr, own_value(*c));
    for_each_counter (t, c)
        others_kept(t, *c);
}

TEST("alias.value", .title = "IA32_PMC_GPn_CTR and IA32_PMC_FXm_CTR are the counters by a second name",
     .spec = "SDM 4, Architectural MSRs", .covers = "B-074", .needs = {.version = 5, .full_width = true},
     .scope = EACH_CPU, .run = value);
