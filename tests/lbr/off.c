/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nothing is recorded while IA32_DEBUGCTL[0] is clear, and from version 4 on while LBR_FRZ in IA32_PERF_GLOBAL_STATUS
 * is set: a handler that reads the records finds those of the interrupted code, and not its own. The latter is not
 * judged on classes that are not known to have that bit.
 */
#include "harness/chapter/branches.h"
#include "harness/chapter/frozen_records.h"

static void while_off(struct test *t, struct recording *r)
{
    run_ladder_off(t, r, LBR_SELECT_CPL_ABOVE); /* lets the whole block through */
    check_equal(t, "recorded-while-off", recorded(t, r), 0, MSR_LBR_TOS);
}

static void while_frozen(struct test *t, struct recording *r)
{
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, STATUS_LBR_FRZ);
    record_ladder(t, r, 0);
    check_equal(t, "recorded-while-frozen", recorded(t, r), 0, MSR_LBR_TOS);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_LBR_FRZ);
    record_ladder(t, r, 0);
    check_equal(t, "lost-after-freeze", recorded(t, r), ladder_records(r), MSR_LBR_TOS);
}

static bool off(struct test *t)
{
    struct recording r = recording_begin(t);
    record_ladder(t, &r, 0);
    while_off(t, &r);
    if (t->caps->version >= VERSION_STREAMLINED && class_lbr_frz(cpu_class(t->caps)))
        while_frozen(t, &r);
    recording_end(t, &r);
    return more_samples(t);
}

TEST("lbr.off", .title = "Nothing is recorded while recording is off or frozen", .spec = "SDM 3B, IA32_DEBUGCTL MSR",
     .covers = "B-094", .needs = {.version = 2}, .scope = EACH_CORE, .prepare = need_branch_records, .repeat = off);
