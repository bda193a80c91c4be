/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Adaptive records may hold the XMM registers, XMM0 first. Before the counter starts, the block loads each of them with
 * a different value, and then does not change them.
 *
 * A failure prints the first half of a wrong register, and what it should be.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 3

static u64 half(const u8 *at)
{
    u64 value = 0;
    for (unsigned i = 0; i < 8; i++)
        value |= (u64)at[i] << 8 * i;
    return value;
}

static void check_record(struct test *t, const struct sampling *s, const struct pebs_record *r)
{
    if (!check_true(t, "no-xmm", r->has & PEBS_HAS_XMM, r->groups, "the group of XMM registers", sampling_config(s)))
        return;
    for (unsigned i = 0; i < 2 * PEBS_XMM_REGISTERS; i++) {
        u64 got = half(r->xmm + 8 * i), want = s->block.xmm[i / 2][i % 2];
        if (got == want)
            continue;
        check_equal(t, "xmm-register", got, want, 0);
        return;
    }
    check_true(t, "xmm-register", true, 0, "the program's values", 0);
}

static bool one_sample(struct test *t)
{
    struct sampling s;
    unsigned pairs = sampling_some(t, &s);
    sampling_group(t, &s, PEBS_DATA_XMM, CFG_C_XMM);
    s.block.use_xmm = 1;
    sample(t, &s, RECORDS);
    for_each_record (&s, record)
        check_record(t, &s, &record);
    check_recorded(t, &s);
    return sampling_more(t, pairs);
}

static void need_xmm(struct test *t)
{
    need_group(t, CFG_C_XMM);
}

TEST("pebs.xmm-registers", .title = "An adaptive record holds the values of the XMM registers",
     .spec = "SDM 3B, Adaptive PEBS", .covers = "B-080", .needs = {.sampling = true}, .scope = EACH_CPU,
     .prepare = need_xmm, .repeat = one_sample);
