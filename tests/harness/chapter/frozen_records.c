/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/chapter/frozen_records.h"
#include "harness/chapter/branches.h"
#include "harness/test.h"
#include "pmu/count/counter.h"

#define BRANCHES 37
#define COMPARED 4 /* number of records */

void need_lbr_freeze(struct test *t)
{
    need_record_top(t);
    if (t->caps->version < VERSION_STREAMLINED || !freeze_lbrs_possible(t->caps))
        skip(t, "IA32_PERF_CAPABILITIES=0x%lx: no LBRs that IA32_DEBUGCTL[11] freezes", t->caps->perf_capabilities);
}

/* The top, and the records after the newest one, which errata may corrupt (SKL186, BJ94). */
struct look {
    u64 top;
    struct branch_record records[COMPARED];
};

static void take(const struct lbr_stack *stack, struct look *s)
{
    s->top = rdmsr(MSR_LBR_TOS);
    for (u32 i = 0; i < COMPARED; i++)
        s->records[i] = lbr_record(stack, 1 + i);
}

static bool same(const struct look *a, const struct look *b)
{
    bool same = a->top == b->top;
    for (u32 i = 0; i < COMPARED; i++)
        same &= a->records[i].from == b->records[i].from && a->records[i].to == b->records[i].to;
    return same;
}

/* Takes one branch more the second time: the two numbers cannot both bring the top back to where it was. */
bool records_move(const struct test *t)
{
    struct lbr_stack stack;
    struct look taken[3];
    lbr_stack(t->caps, &stack);
    take(&stack, &taken[0]);
    spin(BRANCHES);
    take(&stack, &taken[1]);
    spin(BRANCHES + 1);
    take(&stack, &taken[2]);
    return !same(&taken[0], &taken[1]) || !same(&taken[1], &taken[2]);
}
