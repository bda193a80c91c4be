/*
 * A system that switches programs saves the branch records of one, clears them and puts them back later: each then
 * reads as before, and recording goes on behind the newest one as if nothing had been between.
 */
#include "harness/branches.h"
#include "harness/samples.h"

static const struct branch_record nothing;

static bool save_restore(struct test *t)
{
    struct recording r = recording_begin(t);
    struct branch_record saved[LBR_DEPTH_MAX], now;
    u32 left = 0, differ = 0;
    record_ladder(t, &r, 0);
    u64 top = read_msr(t, MSR_LBR_TOS);
    for (u32 age = 0; age < r.stack.depth; age++) {
        saved[age] = lbr_record(&r.stack, age);
        lbr_put(&r.stack, age, &nothing);
        left += (lbr_record(&r.stack, age).from | lbr_record(&r.stack, age).to) != 0;
    }
    check_equal(t, "not-cleared", left, 0, MSR_LBR_FROM(0));
    write_msr(t, MSR_LBR_TOS, 0);
    write_msr(t, MSR_LBR_TOS, top);
    for (u32 age = 0; age < r.stack.depth; age++) {
        lbr_put(&r.stack, age, &saved[age]);
        now = lbr_record(&r.stack, age);
        differ += now.from != saved[age].from || now.to != saved[age].to || now.info != saved[age].info;
    }
    check_equal(t, "not-restored", differ, 0, MSR_LBR_FROM(0));
    record_ladder(t, &r, 0);
    check_equal(t, "goes-on-elsewhere", read_msr(t, MSR_LBR_TOS), (top + LADDER_BRANCHES) % r.stack.depth, MSR_LBR_TOS);
    recording_end(t, &r);
    return more_samples(t);
}

TEST("lbr.save-restore", .title = "Saving, clearing and restoring branch records leaves no trace",
     .spec = "SDM 3B, LBR Stack", .covers = "A-057,B-094", .needs = {.version = 2}, .scope = EACH_CORE,
     .prepare = need_record_top, .repeat = save_restore);
