/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Leaf 1CH enumerates the depths that architectural branch records support. IA32_LBR_DEPTH accepts each of them, and
 * any other causes a general-protection fault; every write clears all records. The newest records up to the depth are
 * kept, the newest in entry 0. If the leaf says so, each record has the type of its branch: 8 and up are "other
 * branch".
 *
 * No manual says how entries beyond the depth read: how many are not 0, and how many fault, is measured.
 */
#include "harness/chapter/branches.h"

#define DEPTHS 8 /* 8 to 64 */
#define UNIT 8

#define OTHER_BRANCH 8 /* 1xxxb; 6 and 7 are reserved */

static const struct {
    u64 kind;
    u8 type;
} types[] = {
    {LBR_SELECT_CONDITIONAL, 0},    {LBR_SELECT_JUMP_INDIRECT, 1}, {LBR_SELECT_JUMP, 2},
    {LBR_SELECT_CALL_INDIRECT, 3},  {LBR_SELECT_CALL, 4},          {LBR_SELECT_RETURN, 5},
    {LBR_SELECT_FAR, OTHER_BRANCH},
};

static bool type_matches(const struct lbr_stack *stack, u32 age, const struct ladder_branch *branch)
{
    u64 type = FIELD_GET(lbr_record(stack, age).info, 59, 56);
    for_each_row (types, row)
        if (row->kind == branch->kind)
            return (type & OTHER_BRANCH ? OTHER_BRANCH : type) == row->type;
    return false;
}

static void measure_behind(struct test *t, const struct recording *r, u32 depth)
{
    u32 behind = 0, faults = 0;
    for (u32 age = depth; age < r->stack.depth; age++) {
        u64 from = 0;
        faults += rdmsr_try(r->stack.from + age, &from) != NO_FAULT;
        behind += from != 0;
    }
    measure(t, "behind-depth", "records", behind);
    measure(t, "behind-faults", "records", faults);
}

static void check_entries(struct test *t, const struct recording *r, u32 depth)
{
    u32 from = 0, to = 0, type = 0;
    for (u32 age = 0; age < depth; age++) {
        const struct ladder_branch *branch = &ladder_branches[LADDER_BRANCHES - 1 - age % LADDER_BRANCHES];
        from += !from_matches(r, age, branch);
        to += !to_matches(r, age, branch);
        type += !type_matches(&r->stack, age, branch);
    }
    check_equal(t, "wrong-from", from, 0, MSR_ARCH_LBR_FROM(0));
    check_equal(t, "wrong-to", to, 0, MSR_ARCH_LBR_TO(0));
    if (t->caps->lbr_types)
        check_equal(t, "wrong-type", type, 0, MSR_ARCH_LBR_INFO(0));
    measure_behind(t, r, depth);
}

static void check_depth(struct test *t, const struct recording *r, u32 depth)
{
    struct switch_write start_stop = {.msr = MSR_ARCH_LBR_CTL, .on = lbr_control(0)};
    if (!check_fault(t, "refused", wrmsr_try(MSR_ARCH_LBR_DEPTH, depth), NO_FAULT, MSR_ARCH_LBR_DEPTH))
        return;
    check_equal(t, "not-kept", read_msr(t, MSR_ARCH_LBR_DEPTH), depth, MSR_ARCH_LBR_DEPTH);
    for (u32 n = 0; n <= depth; n += LADDER_BRANCHES)
        ladder_run(&start_stop);
    check_entries(t, r, depth);
    write_msr(t, MSR_ARCH_LBR_DEPTH, depth);
    for (u32 age = 0; age < depth; age++) {
        struct branch_record left = lbr_record(&r->stack, age);
        check_equal(t, "not-cleared", left.from | left.to | left.info, 0, MSR_ARCH_LBR_DEPTH);
    }
}

static void depth(struct test *t)
{
    struct recording r = recording_begin(t);
    for (u32 n = 0; n < DEPTHS; n++)
        if (!(t->caps->lbr_depths >> n & 1))
            check_fault(t, "accepted", wrmsr_try(MSR_ARCH_LBR_DEPTH, UNIT * (n + 1)), FAULT_GP, MSR_ARCH_LBR_DEPTH);
        else if (UNIT * (n + 1) <= r.stack.depth)
            check_depth(t, &r, UNIT * (n + 1));
    recording_end(t, &r);
}

static void prepare(struct test *t)
{
    if (!t->caps->lbr_depths)
        skip(t, "CPUID.7.0:EDX[19]=0, or leaf 1CH enumerates no depth: no architectural branch records");
    need_branch_records(t);
}

TEST("lbr.depth", .title = "Architectural branch records support the depths that leaf 1CH enumerates",
     .spec = "SDM 3B, Last Branch Records", .covers = "B-095,A-134", .needs = {.version = 2}, .scope = EACH_CORE,
     .prepare = prepare, .run = depth, .measures = true);
