/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With MSR_LBR_SELECT[9] set and all but calls and returns suppressed, a return removes the record of its call: the
 * records left are the stack of open calls, which a profiler shows as call graph.
 *
 * Recording stops in the middle of a known tree of calls, some of which have returned.
 */
#include "harness/chapter/branches.h"

#define CALLS_ALONE \
    (LBR_SELECT_CALL_STACK | LBR_SELECT_CONDITIONAL | LBR_SELECT_JUMP_INDIRECT | LBR_SELECT_JUMP | LBR_SELECT_FAR)

static void prepare(struct test *t)
{
    struct lbr_stack stack;
    need_branch_records(t);
    if (lbr_stack(t->caps, &stack) && !stack.call_stack)
        skip(t, "CPUID.1:EAX=0x%x: not known to have the call-stack mode of branch records", t->caps->signature);
}

static bool call_stack(struct test *t)
{
    struct recording r = recording_begin(t);
    record_tree(t, &r, CALLS_ALONE);
    if (check_equal(t, "open-calls", recorded(t, &r), LADDER_OPEN_CALLS, MSR_LBR_TOS))
        for (u32 age = 0; age < LADDER_OPEN_CALLS; age++) {
            const struct ladder_branch *call = &ladder_open_calls[LADDER_OPEN_CALLS - 1 - age];
            check_true(t, "wrong-from", from_matches(&r, age, call), age, "the open calls", MSR_LBR_FROM(0));
            check_true(t, "wrong-to", to_matches(&r, age, call), age, "the open calls", MSR_LBR_TO(0));
        }
    recording_end(t, &r);
    return more_samples(t);
}

TEST("lbr.call-stack", .title = "In call-stack mode the open calls have records",
     .spec = "SDM 3B, Last Branch, Call Stack, Interrupt, and Exception Recording for Processors based on Haswell "
             "Microarchitecture",
     .covers = "B-095", .needs = {.version = 2}, .scope = EACH_CORE, .prepare = prepare, .repeat = call_stack);
