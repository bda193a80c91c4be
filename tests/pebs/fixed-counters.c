/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From Goldmont Plus on fixed counters sample as well, by bits 32 and up of IA32_PEBS_ENABLE, or by their CFG_C:
 * instructions, core cycles and reference cycles, and slots if the CPU has a counter for them. Each has its own reset
 * value in the DS area. One after the other writes records while the block runs, which takes far more cycles than one
 * period; if the record format names the counter, it is the right one.
 *
 * How many records come is measured: cycles are not counted exactly.
 */
#include "harness/chapter/sampling.h"

#define PERIOD 256
#define ROUNDS 256 /* 16,384 instructions: thousands of cycles of any clock */
#define SLOTS 3    /* the last fixed counter whose event this block makes happen */

static u64 fixed_samplers(const struct test *t)
{
    return sampling_counter_bits(t->caps) & MASK(32 + SLOTS, 32);
}

/* The union of the counters that the records name. */
static u64 named_by_all(const struct sampling *s)
{
    u64 named = 0;
    for_each_record (s, record)
        named |= record.has & PEBS_HAS_COUNTERS ? record.applicable : 0;
    return named;
}

static bool one_counter(struct test *t)
{
    struct sampling_pair pair = {.counter = sampling_in_turn(t, fixed_samplers(t), t->turn)};
    struct sampling s;
    u64 end;
    sampling_clear(t, &s);
    sampling_add(&s, &pair)->period = PERIOD;
    sampling_begin(t, &s);
    sampling_run(&s, ROUNDS);
    sampling_end(&s);
    check_recorded(t, &s);
    check_equal(t, "other-counters", named_by_all(&s) & ~BIT(pair.counter.bit), 0, pair.counter.msr);
    measure(t, "records", "records", sampling_count(&s, &end));
    return sampling_more(t, sampling_number(fixed_samplers(t)));
}

static void need_fixed(struct test *t)
{
    if (!fixed_samplers(t))
        skip(t, "signature %08x: no fixed counter can sample", t->caps->signature);
}

TEST("pebs.fixed-counters", .title = "Fixed counters write their own records", .spec = "SDM 3B, Extended PEBS",
     .needs = {.sampling = true}, .scope = EACH_CPU, .prepare = need_fixed, .repeat = one_counter, .measures = true);
