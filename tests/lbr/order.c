/*
 * While IA32_DEBUGCTL[0] is set every taken branch becomes a record: where it came from, where it went. The newest
 * stands at MSR_LBR_TOS, which counts up and begins anew behind the last record.
 *
 * A block of known branches, one of each kind, is recorded often enough to fill all records. Each of them must be about
 * its branch, in order. The origin of a block's first record is measured: after a change of clock it may be wrong (BJ43
 * and its class).
 */
#include "harness/branches.h"
#include "harness/samples.h"

static bool order(struct test *t)
{
    struct recording r = recording_begin(t);
    for (u32 n = 0; n < r.stack.depth; n += LADDER_BRANCHES) {
        record_ladder(t, &r, 0);
        check_equal(t, "count", recorded(t, &r), ladder_records(&r), MSR_LBR_TOS);
    }
    u32 from = 0, first = 0, to = 0;
    for (u32 age = 0; age < r.stack.depth; age++) {
        const struct ladder_branch *branch = &ladder_branches[LADDER_BRANCHES - 1 - age % LADDER_BRANCHES];
        *(branch == ladder_branches ? &first : &from) += !from_matches(&r, age, branch);
        to += !to_matches(&r, age, branch);
    }
    check_equal(t, "wrong-from", from, 0, MSR_LBR_FROM(0));
    check_equal(t, "wrong-to", to, 0, MSR_LBR_TO(0));
    measure(t, "first-from-wrong", "records", first);
    recording_end(t, &r);
    return more_samples(t);
}

TEST("lbr.order", .title = "Each taken branch has its record, in order", .spec = "SDM 3B, LBR Stack",
     .covers = "A-134,B-094", .needs = {.version = 2}, .scope = EACH_CORE, .prepare = need_record_top, .repeat = order,
     .measures = true);
