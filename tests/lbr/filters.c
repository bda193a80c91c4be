/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A bit of MSR_LBR_SELECT suppresses the records of one kind of branch and no others; several bits suppress all of
 * their kinds. A profiler that wants only calls sets the bits of all other kinds and takes every record for a call.
 *
 * Each bit is set alone and with each other bit, at CPL 0 and at CPL 3, around a block that has every kind of branch.
 * Judged are the number of records and their targets. On Nehalem and Silvermont one kind's filter may suppress other
 * kinds, too: it is set together with their bits, as drivers do.
 */
#include "harness/chapter/branches.h"

static const struct {
    const char *label;
    u64 bit;
} kinds[] = {
    {"conditional", LBR_SELECT_CONDITIONAL},
    {"call", LBR_SELECT_CALL},
    {"call-indirect", LBR_SELECT_CALL_INDIRECT},
    {"return", LBR_SELECT_RETURN},
    {"jump-indirect", LBR_SELECT_JUMP_INDIRECT},
    {"jump", LBR_SELECT_JUMP},
    {"far", LBR_SELECT_FAR},
};

static void filter(struct test *t, struct recording *r, const char *label, u64 select)
{
    select = lbr_filter_whole(t->caps, select);
    record_ladder(t, r, select);
    check_true(t, label, ladder_matches(t, r, select), recorded(t, r), "the branches not suppressed", MSR_LBR_SELECT);
}

static bool filters(struct test *t)
{
    struct recording r = recording_begin(t);
    for_each_row (kinds, one) {
        filter(t, &r, one->label, one->bit);
        for_each_row (kinds, other)
            if (other < one)
                filter(t, &r, "two", one->bit | other->bit);
    }
    recording_end(t, &r);
    return more_samples(t);
}

TEST("lbr.filters", .title = "Each bit of LBR_SELECT suppresses only its kind of branch",
     .spec = "SDM 3B, Filtering of Last Branch Records", .covers = "B-094", .needs = {.version = 2}, .scope = EACH_CORE,
     .prepare = need_record_filters, .repeat = filters, .cells = CELL_RINGS);
