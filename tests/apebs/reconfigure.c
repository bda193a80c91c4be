/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Between the end of one sampling and the set-up of the next, software waits for a quiescent period in which late
 * records complete in their own buffer. After it another counter samples other groups into another buffer: the records
 * there are of this counter and these groups, and nothing in the old buffer has changed since.
 *
 * A late record that goes to the new buffer, or that has the old groups, cannot be decoded.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 3
#define QUIET_US 10000

/* A checksum of a buffer's contents. */
static u64 sum_of(const struct sampling *s)
{
    const volatile u64 *word = (const volatile u64 *)(const void *)s->setup.area.buffer;
    u64 sum = 0;
    for (u64 i = 0; i < ds_area_end(&s->setup.area) / 8; i++)
        sum = sum * 31 + word[i];
    return sum;
}

static void sample_into(struct test *t, struct sampling *s, const struct sampling_pair *pair, unsigned which,
                        u64 groups)
{
    sampling_clear(t, s);
    sampling_add(s, pair)->groups = groups;
    s->setup.which = which;
    sampling_begin(t, s);
    sampling_run(s, sampling_rounds(s, RECORDS));
    pebs_stop(&s->setup, QUIET_US);
}

static bool one_change(struct test *t)
{
    struct sampling_pair a = sampling_basic(t), b = sampling_need(t, PEBS_BRANCHES);
    u64 groups = (CFG_C_GPR | CFG_C_AUX | CFG_C_XMM) & apebs_config_bits(t->caps);
    struct sampling old, new;
    b.counter = gp_counter(t->caps, 63 - (unsigned)__builtin_clzll(b.event.counters & MASK(31, 0)));
    sample_into(t, &old, &a, 0, t->turn % 2 ? 0 : groups);
    check_recorded(t, &old);
    u64 sum = sum_of(&old);
    sample_into(t, &new, &b, 1, t->turn % 2 ? groups : 0);
    check_true(t, "old-buffer-changed", sum_of(&old) == sum, 0, "the records as they were", MSR_PEBS_BASE);
    check_recorded(t, &new);
    for_each_record (&new, record) {
        check_equal(t, "old-counter", record.applicable, BIT(b.counter.bit), b.counter.msr);
        check_equal(t, "old-groups", record.head & (CFG_C_GPR | CFG_C_AUX | CFG_C_XMM), t->turn % 2 ? groups : 0,
                    sampling_config(&new));
    }
    return sampling_more(t, 2);
}

TEST("apebs.reconfigure", .title = "After a quiescent period, records belong to the new buffer, counter and groups",
     .spec = "SDM 3B, Re-configuring PEBS Facilities", .covers = "B-093", .needs = {.apebs = true}, .scope = EACH_CPU,
     .repeat = one_change);
