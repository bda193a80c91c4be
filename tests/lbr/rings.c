/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * MSR_LBR_SELECT[0] suppresses the records of branches that end at CPL 0, and bit 1 those of all others. A block that
 * runs at CPL 0 leaves no records with bit 0 set, and all with bit 1 set; at CPL 3 it is the other way round.
 */
#include "harness/chapter/branches.h"

static void at_cpl_3(struct test *t, struct recording *r)
{
    t->cell.user = true;
    record_ladder(t, r, LBR_SELECT_CPL_ABOVE);
    check_equal(t, "recorded-at-cpl-3", recorded(t, r), 0, MSR_LBR_TOS);
    record_ladder(t, r, 0);
    check_true(t, "lost-at-cpl-3", ladder_matches(t, r, 0), recorded(t, r), "all branches", MSR_LBR_TOS);
    t->cell.user = false;
}

static bool rings(struct test *t)
{
    struct recording r = recording_begin(t);
    record_ladder(t, &r, LBR_SELECT_CPL_0);
    check_equal(t, "recorded-at-cpl-0", recorded(t, &r), 0, MSR_LBR_TOS);
    record_ladder(t, &r, LBR_SELECT_CPL_ABOVE);
    check_true(t, "lost-at-cpl-0", ladder_matches(t, &r, 0), recorded(t, &r), "all branches", MSR_LBR_TOS);
    record_ladder(t, &r, LBR_SELECT_CPL_0 | LBR_SELECT_CPL_ABOVE);
    check_equal(t, "recorded-nowhere", recorded(t, &r), 0, MSR_LBR_TOS);
    if (records_of_user(&r))
        at_cpl_3(t, &r);
    recording_end(t, &r);
    return more_samples(t);
}

TEST("lbr.rings", .title = "LBR_SELECT suppresses the branch records of a privilege level",
     .spec = "SDM 3B, Filtering of Last Branch Records", .covers = "B-094", .needs = {.version = 2}, .scope = EACH_CORE,
     .prepare = need_record_filters, .repeat = rings);
