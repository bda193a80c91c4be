/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From version 6 on each counter has an alias: IA32_PMC_GPn_CTR is IA32_A_PMCn, IA32_PMC_FXm_CTR is IA32_FIXED_CTRm.
 * What is written by one name is read by both, in the counter's full width, whichever name was used before, and no
 * neighbouring counter changes. Only the oldest name, IA32_PMCn, copies bit 31 of the written value to the bits above:
 * the alias shows these bits, but a write by the alias copies nothing.
 */
#include "harness/chapter/alias.h"

static const u64 patterns[] = {0, ~0ull, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 0x80000000, 0x7fffffff, BIT(47), 1};

static void both_ways(struct test *t, struct counter c)
{
    u64 mask = counter_mask(c.width);
    for_each_row (patterns, value) {
        write_msr(t, c.msr, *value & mask);
        check_bits(t, "not-read", msr_ctr(c), ~0ull, *value & mask);
        write_msr(t, msr_ctr(c), ~*value & mask);
        check_bits(t, "not-written", c.msr, ~0ull, ~*value & mask);
        check_bits(t, "reads-older", msr_ctr(c), ~0ull, ~*value & mask);
    }
}

#define NEGATIVE 0x80000001ull

static void sign(struct test *t, struct counter c)
{
    write_msr(t, MSR_PMC(c.index), NEGATIVE);
    check_bits(t, "sign-unseen", msr_ctr(c), ~0ull, (u64)(s32)NEGATIVE & counter_mask(c.width));
    write_msr(t, msr_ctr(c), NEGATIVE);
    check_bits(t, "sign-spread", c.msr, ~0ull, NEGATIVE);
}

static u64 own_value(struct counter c)
{
    return (c.bit + 1) * 0x010203040506 & counter_mask(c.width);
}

/* Each counter holds a different value, and one gets a new value by its alias. */
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
    struct counter list[COUNTERS_MAX];
    need_aliases(t);
    unsigned n = alias_counters(t, list);
    for (unsigned i = 0; i < n; i++) {
        both_ways(t, list[i]);
        if (!list[i].fixed)
            sign(t, list[i]);
    }
    for_each_counter (t, c)
        write_msr(t, c->msr, own_value(*c));
    for (unsigned i = 0; i < n; i++)
        others_kept(t, list[i]);
}

TEST("alias.value", .title = "IA32_PMC_GPn_CTR and IA32_PMC_FXm_CTR are aliases of the counters",
     .spec = "SDM 4, Architectural MSRs", .covers = "B-074", .needs = {.version = 5, .full_width = true},
     .scope = EACH_CPU, .run = value);
