/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A system that switches programs saves the branch records of one, clears them and restores them later: each then reads
 * as before, and recording continues after the newest one as if nothing had happened in between.
 *
 * CPUs of format 4 without transactions record an origin in the upper half with bits 62:61 clear, and WRMSR faults
 * unless software first sets them to the sign (HSD172, BDM127 and their class). The records here are of the lower half;
 * whether such a write faults is measured, for systems that restore a kernel's records.
 */
#include "harness/chapter/branches.h"

static const struct branch_record nothing;

/* The block's records push the restored ones to a higher age. */
static void check_goes_on(struct test *t, const struct recording *r, const struct branch_record *saved, u64 top)
{
    u32 lost = 0;
    for (u32 age = LADDER_BRANCHES; age < r->stack.depth; age++)
        lost += lbr_record(&r->stack, age).to != saved[age - LADDER_BRANCHES].to;
    check_equal(t, "older-lost", lost, 0, r->stack.to);
    if (!r->stack.architectural)
        check_equal(t, "goes-on-elsewhere", read_msr(t, MSR_LBR_TOS), (top + LADDER_BRANCHES) % r->stack.depth,
                    MSR_LBR_TOS);
}

/* Only this format has transaction flags in the origin. */
static void try_sign_lost(struct test *t, const struct recording *r)
{
    if ((t->caps->perf_capabilities & PERF_CAP_LBR_FORMAT) != LBR_FORMAT_TSX)
        return;
    measure(t, "sign-wanted", "0-or-1", wrmsr_try(r->stack.from, LBR_SIGN_LOST) == FAULT_GP);
    write_msr(t, r->stack.from, 0);
}

static bool save_restore(struct test *t)
{
    struct recording r = recording_begin(t);
    struct branch_record saved[LBR_DEPTH_MAX], now;
    u32 left = 0, differ = 0;
    u64 flags = gate_bits(t->caps, r.stack.infos) & lbr_info_kept(t->caps); /* others may not be writable */
    record_ladder(t, &r, 0);
    u64 top = r.stack.architectural ? 0 : read_msr(t, MSR_LBR_TOS);
    for (u32 age = 0; age < r.stack.depth; age++) {
        saved[age] = lbr_record(&r.stack, age);
        saved[age].info &= flags;
        lbr_put(&r.stack, age, &nothing);
        left += (lbr_record(&r.stack, age).from | lbr_record(&r.stack, age).to) != 0;
    }
    check_equal(t, "not-cleared", left, 0, r.stack.from);
    if (!r.stack.architectural) {
        write_msr(t, MSR_LBR_TOS, 0);
        write_msr(t, MSR_LBR_TOS, top);
    }
    for (u32 age = 0; age < r.stack.depth; age++) {
        lbr_put(&r.stack, age, &saved[age]);
        now = lbr_record(&r.stack, age);
        differ += now.from != saved[age].from || now.to != saved[age].to || (now.info & flags) != saved[age].info;
    }
    check_equal(t, "not-restored", differ, 0, r.stack.from);
    record_more(t, &r);
    check_goes_on(t, &r, saved, top);
    try_sign_lost(t, &r);
    recording_end(t, &r);
    return more_samples(t);
}

TEST("lbr.save-restore", .title = "Saving, clearing and restoring branch records leaves no trace",
     .spec = "SDM 3B, LBR Stack", .covers = "A-057,B-094,B-095", .needs = {.version = 2}, .scope = EACH_CORE,
     .prepare = need_writable_records, .repeat = save_restore, .measures = true);
