/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The groups of a record are selected by the CFG_C of its own counter only. The lowest and the highest counter that can
 * sample branches sample at the same time, half a period apart; in turn one has each group of registers and the other
 * has none. Each record that names only one of them has the groups that this counter selected.
 *
 * Records with the groups of another counter have a size that software does not expect, or lack the data for its
 * profile.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 3
#define GROUPS (CFG_C_GPR | CFG_C_AUX | CFG_C_XMM)

static void look(struct test *t, const struct sampling *s, const struct pebs_counter *c)
{
    u64 named = GROUPS & apebs_config_bits(t->caps);
    u32 records = 0;
    for_each_record (s, record) {
        if (record.applicable != BIT(c->counter.bit))
            continue;
        check_equal(t, "other-groups", record.head & named, c->groups, alias_cfg_c(c->counter.bit));
        records++;
    }
    check_true(t, "no-record", records > 0, records, "1 record or more of this counter alone", c->counter.msr);
}

static bool one_pair(struct test *t)
{
    struct sampling_pair pair = sampling_need(t, PEBS_BRANCHES);
    u64 all = pair.event.counters;
    unsigned chosen[] = {(unsigned)__builtin_ctzll(all), 63 - (unsigned)__builtin_clzll(all)};
    struct sampling s;
    sampling_clear(t, &s);
    for (unsigned i = 0; i < ARRAY_SIZE(chosen); i++) {
        pair.counter = gp_counter(t->caps, chosen[i]);
        struct pebs_counter *c = sampling_add(&s, &pair);
        c->groups = (t->turn + i) % 2 ? 0 : GROUPS & apebs_config_bits(t->caps);
        c->first = i ? c->period + c->period / 2 : 0;
    }
    sample(t, &s, RECORDS);
    check_whole(t, &s);
    for (unsigned i = 0; i < ARRAY_SIZE(chosen); i++)
        look(t, &s, &s.setup.counter[i]);
    return sampling_more(t, 2);
}

static void need_two_and_groups(struct test *t)
{
    struct sampling_pair pair = sampling_need(t, PEBS_BRANCHES);
    if (!(pair.event.counters & (pair.event.counters - 1)))
        skip(t, "CPUID.23H.5:EAX=0x%x: one counter samples branches", (u32)t->caps->pebs_counters);
    if (!(GROUPS & apebs_config_bits(t->caps)))
        skip(t, "CPUID.23H.4:EBX=0x%x: no group of registers", t->caps->pebs_groups);
}

TEST("apebs.own-groups", .title = "Records of counters that sample together have the groups of their own counter",
     .spec = "SDM 3B, Architectural PEBS", .covers = "B-093", .needs = {.apebs = true}, .scope = EACH_CPU,
     .prepare = need_two_and_groups, .repeat = one_pair);
