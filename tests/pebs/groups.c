/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * MSR_PEBS_DATA_CFG selects what adaptive records hold: memory, general-purpose registers, XMM registers, last-branch
 * records, in any combination, for the counters whose ADAPTIVE bit is set. Each record states its groups and its size:
 * these are the requested groups and their total size, and walking the records by their sizes ends at the index. A
 * counter without ADAPTIVE writes only the basic group, whatever the register holds.
 *
 * All sixteen combinations come in turn, with all counters and events, and again with counter values if records can
 * hold them. What last-branch entries hold while DEBUGCTL.LBR is clear is measured.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 2
#define COMBINATIONS 16
#define LBR_ENTRIES 4

/* All combinations with ADAPTIVE, and one turn without it. */
#define TURNS (COMBINATIONS + 1)

static u64 groups_of(u32 turn)
{
    u64 groups = COMBINATIONS - 1 - turn % COMBINATIONS;
    return groups & PEBS_DATA_LBR ? groups | PEBS_DATA_LBR_ENTRIES(LBR_ENTRIES) : groups;
}

/* Adds two counter values to the record. */
static u64 with_values(u64 groups)
{
    return groups | PEBS_DATA_COUNTERS | PEBS_DATA_GP(0) | PEBS_DATA_FIXED(0);
}

static void measure_lbrs(struct test *t, const struct pebs_record *r)
{
    u64 used = 0;
    for (u32 i = 0; i < r->lbr_count * PEBS_LBR_BYTES; i++)
        used |= r->lbr[i];
    if (r->has & PEBS_HAS_LBR)
        measure(t, "branches-with-lbr-off", "0-or-1", used != 0);
}

static void look(struct test *t, const struct sampling *s, bool adaptive)
{
    u64 groups = adaptive ? s->setup.data_cfg : 0;
    u32 count = check_whole(t, s);
    check_true(t, "no-record", count > 0, pebs_written(&s->setup), "1 record or more", 0);
    for_each_record (s, record) {
        check_equal(t, adaptive ? "other-groups" : "groups-not-asked-for", record.groups, (u32)groups,
                    MSR_PEBS_DATA_CFG);
        check_equal(t, "size-of-groups", record.size, record.walked, 0);
        measure_lbrs(t, &record);
    }
}

static bool one_combination(struct test *t)
{
    struct sampling s;
    struct sampling_pair pair;
    bool adaptive = t->turn % TURNS != 1, values = pebs_format(t->caps) >= PEBS_FORMAT_VALUES;
    sampling_pair(t, t->turn, &pair);
    sampling_clear(t, &s);
    sampling_add(&s, &pair)->adaptive = adaptive;
    s.setup.data_cfg = adaptive ? groups_of(t->turn) : PEBS_DATA_GPR;
    if (values && t->turn % 2)
        s.setup.data_cfg = with_values(s.setup.data_cfg);
    sample(t, &s, RECORDS);
    look(t, &s, adaptive);
    return sampling_more(t, values ? 2 * TURNS : TURNS);
}

TEST("pebs.groups", .title = "Adaptive records hold the requested groups", .spec = "SDM 3B, Adaptive PEBS",
     .covers = "A-121,A-122,A-124,B-085", .needs = {.pebs = true, .adaptive = true}, .scope = EACH_CPU,
     .repeat = one_combination, .measures = true);
