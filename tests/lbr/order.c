/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * While IA32_DEBUGCTL[0] is set, each taken branch is recorded: where it came from and where it went. MSR_LBR_TOS is
 * the index of the newest record; it counts up, and wraps after the last one.
 *
 * A block of known branches, one of each kind, at CPL 0 and at CPL 3, is recorded often enough to fill all records.
 * Each record must match its branch, in order. The origin of a block's first record is measured: after a change of
 * clock it may be wrong (BJ43 and its class).
 */
#include "harness/chapter/branches.h"

/* The transition to CPL 3 may have a record of its own. */
static void check_count_of(struct test *t, const struct recording *r)
{
    u32 n = recorded(t, r), all = ladder_records(r);
    check_equal(t, "count", r->user && n == all + 1 ? all : n, all, MSR_LBR_TOS);
}

static bool order(struct test *t)
{
    struct recording r = recording_begin(t);
    for (u32 n = 0; n < r.stack.depth; n += LADDER_BRANCHES) {
        record_ladder(t, &r, 0);
        check_count_of(t, &r);
    }
    u32 from = 0, first = 0, to = 0;
    u32 known = r.user ? LADDER_BRANCHES : r.stack.depth;
    for (u32 age = 0; age < known; age++) {
        const struct ladder_branch *branch = &r.ladder[LADDER_BRANCHES - 1 - age % LADDER_BRANCHES];
        *(branch == r.ladder ? &first : &from) += !from_matches(&r, age, branch);
        to += !to_matches(&r, age, branch);
    }
    check_equal(t, "wrong-from", from, 0, MSR_LBR_FROM(0));
    check_equal(t, "wrong-to", to, 0, MSR_LBR_TO(0));
    measure(t, "first-from-wrong", "records", first);
    recording_end(t, &r);
    return more_samples(t);
}

TEST("lbr.order", .title = "Each taken branch is recorded, in order", .spec = "SDM 3B, LBR Stack",
     .covers = "A-134,B-094", .needs = {.version = 2}, .scope = EACH_CORE, .prepare = need_record_top, .repeat = order,
     .cells = CELL_RINGS, .measures = true);
