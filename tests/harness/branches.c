#include "harness/branches.h"

#define ADDRESS MASK(47, 0)

void need_branch_records(struct test *t)
{
    struct lbr_stack stack;
    u64 top;
    if (!lbr_stack(t->caps, &stack))
        skip(t, "IA32_PERF_CAPABILITIES=0x%lx: not known to have 16 or more branch records of its own format",
             t->caps->perf_capabilities);
    if (rdmsr_try(MSR_LBR_TOS, &top))
        skip(t, "RDMSR of MSR_LBR_TOS faults: no branch records");
}

struct recording recording_begin(struct test *t)
{
    struct recording r = {.debugctl = read_msr(t, MSR_DEBUGCTL), .select = read_msr(t, MSR_LBR_SELECT)};
    lbr_stack(t->caps, &r.stack);
    write_msr(t, MSR_DEBUGCTL, r.debugctl & ~DEBUGCTL_LBR);
    return r;
}

void recording_end(struct test *t, const struct recording *r)
{
    write_msr(t, MSR_LBR_SELECT, r->select);
    write_msr(t, MSR_DEBUGCTL, r->debugctl);
}

static struct switch_write prepared(struct test *t, struct recording *r, u64 select)
{
    u64 off = r->debugctl & ~DEBUGCTL_LBR;
    write_msr(t, MSR_LBR_SELECT, select);
    r->before = read_msr(t, MSR_LBR_TOS);
    return (struct switch_write){.msr = MSR_DEBUGCTL, .on = off | DEBUGCTL_LBR, .off = off};
}

void record_ladder(struct test *t, struct recording *r, u64 select)
{
    struct switch_write start_stop = prepared(t, r, select);
    ladder_run(&start_stop);
}

void record_tree(struct test *t, struct recording *r, u64 select)
{
    struct switch_write start_stop = prepared(t, r, select);
    ladder_tree_run(&start_stop);
}

u32 recorded(struct test *t, const struct recording *r)
{
    return (u32)(read_msr(t, MSR_LBR_TOS) - r->before) % r->stack.depth;
}

bool from_matches(const struct recording *r, u32 age, const struct ladder_branch *branch)
{
    return !((lbr_record(&r->stack, age).from ^ branch->from) & ADDRESS);
}

bool to_matches(const struct recording *r, u32 age, const struct ladder_branch *branch)
{
    return !((lbr_record(&r->stack, age).to ^ branch->to) & ADDRESS);
}

bool ladder_matches(struct test *t, const struct recording *r, u64 select)
{
    u32 age = 0;
    for (u32 i = LADDER_BRANCHES; i--;)
        if (!(ladder_branches[i].kind & select) && !to_matches(r, age++, &ladder_branches[i]))
            return false;
    return age == recorded(t, r);
}
