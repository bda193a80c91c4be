/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each counter's CFG_C selects what its records hold. The test selects each group of CPUID.23H.4 alone, and all of them
 * together, with one counter after the other. The headers name exactly the selected groups; the sizes in them are those
 * of their groups, and walking by the sizes ends at the index. The hardware decides in how many pieces a record comes,
 * which is measured, like the pieces that drivers skip: those that name nothing, and those before the piece with the
 * basic group, where a record begins. Also measured is what the headers name for selected groups without contents, as
 * nothing is published about them: values of counters if none is allowed into records, and vector registers beyond XMM,
 * whose state this image does not enable (CR4.OSXSAVE is 0).
 *
 * Software steps from record to record by these sizes and finds each group by the header: a group that is named but
 * missing, or present but not named, corrupts all that follows.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 2
/* CNTR_ALLOW is not a group: it lets the counter's value into records that have the group of counters. */
#define NO_GROUP (CFG_C_ALLOW | CFG_C_PEBS_EN)
#define EMPTY \
    (CFG_C_CNTR_GP | CFG_C_CNTR_FIXED | CFG_C_CNTR_METRICS | CFG_C_YMMH | CFG_C_OPMASK | CFG_C_ZMMH | CFG_C_H16ZMM)
#define LBR_8 BIT(40)
#define LBR_16 BIT(41)

/* The selections, in turn: none, each bit alone, all of them; three values of the field for branch records. */
static unsigned choices(const struct test *t, u64 list[64])
{
    u64 groups = apebs_config_bits(t->caps) & ~NO_GROUP;
    unsigned n = 0;
    list[n++] = 0;
    for (u64 left = groups; left; left &= left - 1)
        list[n++] = left & -left;
    list[n++] = groups;
    list[n++] = groups & ~LBR_16;
    return n;
}

static struct sampling_pair pair_of(struct test *t)
{
    struct sampling_pair pair;
    sampling_pair(t, t->turn, &pair);
    return pair;
}

static void look(struct test *t, const struct sampling *s, u64 groups)
{
    u64 named = apebs_config_bits(t->caps) & ~NO_GROUP;
    u32 count = check_whole(t, s), msr = sampling_config(s);
    check_true(t, "no-record", count > 0, pebs_written(&s->setup), "1 record or more", msr);
    for_each_record (s, record) {
        check_equal(t, "other-groups", record.head & named & ~EMPTY, groups & ~EMPTY, msr);
        measure(t, "empty-groups-told", "0-or-1", (record.head & groups & EMPTY) != 0);
        check_equal(t, "size-of-groups", record.size, record.walked, msr);
        check_true(t, "not-64-bit", record.head & PEBS_HEAD_64_BIT, record.head, "64-bit mode", msr);
        measure(t, "pieces", "pieces", record.fragments);
        measure(t, "of-no-group", "bytes", record.padding);
    }
}

static bool one_choice(struct test *t)
{
    u64 list[64];
    unsigned n = choices(t, list);
    struct sampling s;
    struct sampling_pair pair = pair_of(t);
    sampling_clear(t, &s);
    /* Different selections for the same counter on different CPUs. */
    u64 groups = list[(t->turn + t->position) % n];
    sampling_add(&s, &pair)->groups = groups;
    sample(t, &s, RECORDS);
    look(t, &s, groups);
    return sampling_more(t, n);
}

TEST("apebs.groups", .title = "Records hold the groups that the counter's CFG_C selects",
     .spec = "SDM 3B, Architectural PEBS", .covers = "A-129,B-093", .needs = {.apebs = true}, .scope = EACH_CPU,
     .repeat = one_choice, .measures = true);
