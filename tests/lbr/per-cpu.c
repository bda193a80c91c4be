/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each logical CPU has its own branch records, even if it shares its core with another one. All record the same block
 * of branches; then one CPU after the other records another block, and the records of the rest stay unchanged.
 *
 * On some CPUs the core has only one MSR_LBR_SELECT: nothing is filtered here.
 */
#include "harness/chapter/branches.h"

#define TURNS_MOST 16 /* with more CPUs only the first ones */

static void check_own(struct test *t, const struct recording *r, const struct branch_record *before)
{
    u32 differ = 0;
    for (u32 age = 0; age < r->stack.depth; age++) {
        struct branch_record now = lbr_record(&r->stack, age);
        differ += now.from != before[age].from || now.to != before[age].to;
    }
    check_equal(t, "others-recorded", differ, 0, lbr_register(&r->stack));
}

static void turn(struct test *t, struct recording *r, bool mine)
{
    struct branch_record before[LBR_DEPTH_MAX];
    record_ladder(t, r, 0);
    for (u32 age = 0; age < r->stack.depth; age++)
        before[age] = lbr_record(&r->stack, age);
    barrier(t);
    if (mine)
        record_tree(t, r, 0);
    barrier(t);
    if (!mine)
        check_own(t, r, before);
    barrier(t);
}

static void per_cpu(struct test *t)
{
    struct recording r = recording_begin(t);
    barrier(t);
    for (u32 position = 0; position < t->cpus && position < TURNS_MOST; position++)
        turn(t, &r, position == t->position);
    recording_end(t, &r);
}

TEST("lbr.per-cpu", .title = "Each logical CPU has its own branch records", .spec = "SDM 3B, LBR Stack",
     .covers = "B-070,B-094", .needs = {.version = 2, .cpus = 2}, .scope = ALL_TOGETHER, .prepare = need_branch_records,
     .run = per_cpu);
