/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/chapter/branches.h"
#include "kernel/core/memory.h"
#include "pmu/workload/workload.h"

#define ADDRESS MASK(47, 0)

u32 lbr_register(const struct lbr_stack *stack)
{
    return stack->architectural ? MSR_ARCH_LBR_CTL : MSR_LBR_TOS;
}

void need_branch_records(struct test *t)
{
    struct lbr_stack stack;
    u64 value;
    if (t->caps->lbr_depths && !(t->caps->lbr_levels && t->caps->lbr_filters))
        skip(t, "CPUID.1CH:EBX[1:0]=%u: IA32_LBR_CTL does not select both levels and kinds of branches",
             t->caps->lbr_filters << 1 | t->caps->lbr_levels);
    if (lbr_distrusted(t->caps))
        skip(t, "CPUID.1:EAX[3:0]=%u (0x%x): an early stepping, whose branch records no driver uses", t->caps->stepping,
             t->caps->signature);
    if (!lbr_stack(t->caps, &stack))
        skip(t, "CPUID.1:EAX=0x%x, IA32_PERF_CAPABILITIES=0x%lx: not known to have branch records of this format",
             t->caps->signature, t->caps->perf_capabilities);
    if (t->caps->tracing && !stack.architectural)
        skip(t, "IA32_RTIT_CTL[0]=1: while processor trace is on, some CPUs keep no branch records");
    if (rdmsr_try(lbr_register(&stack), &value) || rdmsr_try(stack.from, &value))
        skip(t, "RDMSR of MSR_%xH or %xH faults: no branch records", lbr_register(&stack), stack.from);
}

void need_record_filters(struct test *t)
{
    struct lbr_stack stack;
    need_branch_records(t);
    if (lbr_stack(t->caps, &stack) && !stack.select)
        skip(t, "CPUID.1:EAX=0x%x: branch records have no filter", t->caps->signature);
}

void need_writable_records(struct test *t)
{
    struct lbr_stack stack;
    need_branch_records(t);
    if (lbr_stack(t->caps, &stack) && !stack.writable)
        skip(t, "CPUID.1:EAX=0x%x: branch records are not known to be writable", t->caps->signature);
}

void need_record_top(struct test *t)
{
    struct lbr_stack stack;
    need_branch_records(t);
    if (lbr_stack(t->caps, &stack) && stack.architectural)
        skip(t, "CPUID.1CH:EAX[7:0]=0x%x: architectural branch records have no top", t->caps->lbr_depths);
}

static u32 select_register(const struct recording *r)
{
    return r->stack.architectural ? MSR_ARCH_LBR_CTL : MSR_LBR_SELECT;
}

struct recording recording_begin(struct test *t)
{
    struct recording r = {.debugctl = read_msr(t, MSR_DEBUGCTL), .ladder = ladder_branches};
    lbr_stack(t->caps, &r.stack);
    if (r.stack.select)
        r.select = read_msr(t, select_register(&r));
    if (r.stack.architectural) {
        r.depth = read_msr(t, MSR_ARCH_LBR_DEPTH);
        write_msr(t, MSR_ARCH_LBR_CTL, 0);
        write_msr(t, MSR_ARCH_LBR_DEPTH, r.stack.depth);
        return r;
    }
    write_msr(t, MSR_DEBUGCTL, r.debugctl & ~DEBUGCTL_LBR);
    return r;
}

void recording_end(struct test *t, const struct recording *r)
{
    if (r->stack.architectural)
        write_msr(t, MSR_ARCH_LBR_DEPTH, r->depth);
    if (r->stack.select)
        write_msr(t, select_register(r), r->select);
    write_msr(t, MSR_DEBUGCTL, r->debugctl);
}

/* A write of their depth clears architectural records, so counting starts at none. */
static struct switch_write from_none(struct test *t, u64 select)
{
    write_msr(t, MSR_ARCH_LBR_DEPTH, read_msr(t, MSR_ARCH_LBR_DEPTH));
    return (struct switch_write){.msr = MSR_ARCH_LBR_CTL, .on = lbr_control(select)};
}

/* Few branches of another block: if the ladder brings the top back to where it was, the newest record tells them
 * apart. */
static void make_foreign(struct test *t, const struct recording *r)
{
    u64 off = r->debugctl & ~DEBUGCTL_LBR;
    struct switch_write start_stop = {.msr = MSR_DEBUGCTL, .on = off | DEBUGCTL_LBR, .off = off};
    if (r->stack.select)
        write_msr(t, MSR_LBR_SELECT, 0);
    ladder_tree_run(&start_stop);
}

static struct switch_write prepared(struct test *t, struct recording *r, u64 select)
{
    if (r->stack.architectural)
        return from_none(t, select);
    u64 off = r->debugctl & ~DEBUGCTL_LBR;
    if (r->stack.depth <= LADDER_BRANCHES)
        make_foreign(t, r);
    if (r->stack.select)
        write_msr(t, MSR_LBR_SELECT, select);
    r->before = read_msr(t, MSR_LBR_TOS);
    return (struct switch_write){.msr = MSR_DEBUGCTL, .on = off | DEBUGCTL_LBR, .off = off};
}

bool records_of_user(const struct recording *r)
{
    return r->stack.select && r->stack.depth > LADDER_BRANCHES + 1;
}

void record_ladder(struct test *t, struct recording *r, u64 select)
{
    r->user = t->cell.user && records_of_user(r);
    r->ladder = r->user ? ladder_user_branches : ladder_branches;
    struct switch_write start_stop = prepared(t, r, select | (r->user ? LBR_SELECT_CPL_0 : 0));
    if (r->user)
        counted_user(&start_stop, 1, ladder_user);
    else
        ladder_run(&start_stop);
}

void record_block(struct test *t, struct recording *r, const struct workload *block, u64 k)
{
    struct switch_write start_stop = prepared(t, r, 0);
    block->run(&start_stop, k);
}

void record_path(struct test *t, struct recording *r, u64 way)
{
    struct switch_write start_stop = prepared(t, r, 0);
    path_run(&start_stop, way, NULL);
}

void record_more(struct test *t, struct recording *r)
{
    struct switch_write start_stop = {.msr = MSR_ARCH_LBR_CTL, .on = lbr_control(0)};
    if (r->stack.architectural)
        ladder_run(&start_stop);
    else
        record_ladder(t, r, 0);
}

void record_tree(struct test *t, struct recording *r, u64 select)
{
    struct switch_write start_stop = prepared(t, r, select);
    ladder_tree_run(&start_stop);
}

void record_high(struct test *t, struct recording *r)
{
    struct switch_write start_stop = prepared(t, r, 0);
    ladder_high_run(&start_stop, PAGING_HIGH);
}

struct branch_record high_record(u32 age)
{
    const struct ladder_branch *branch = &ladder_high_branches[LADDER_HIGH_BRANCHES - 1 - age];
    return (struct branch_record){
        .from = branch->from + (age < LADDER_HIGH_BRANCHES - 1 ? PAGING_HIGH : 0),
        .to = branch->to + (age ? PAGING_HIGH : 0),
    };
}

static u32 used(const struct lbr_stack *stack)
{
    u32 n = 0;
    while (n < stack->depth && lbr_record(stack, n).from)
        n++;
    return n;
}

void run_ladder_off(struct test *t, struct recording *r, u64 select)
{
    struct switch_write start_stop = prepared(t, r, select);
    start_stop.on = r->stack.architectural ? start_stop.on & ~LBR_CTL_EN : start_stop.off;
    ladder_run(&start_stop);
}

void recording_on(struct test *t, const struct recording *r, u64 debugctl)
{
    u64 control = r->debugctl & ~(DEBUGCTL_FREEZE_PERFMON_ON_PMI | DEBUGCTL_LBR);
    write_msr(t, MSR_DEBUGCTL, control | debugctl | (r->stack.architectural ? 0 : DEBUGCTL_LBR));
    if (r->stack.architectural)
        write_msr(t, MSR_ARCH_LBR_CTL, lbr_control(0));
    else if (r->stack.select)
        write_msr(t, MSR_LBR_SELECT, 0);
}

/* Bit 0 of either register is the enable. */
void recording_off(struct test *t, const struct recording *r)
{
    u32 msr = r->stack.architectural ? MSR_ARCH_LBR_CTL : MSR_DEBUGCTL;
    write_msr(t, msr, read_msr(t, msr) & ~BIT(0));
}

void run_ladder_on(struct test *t, const struct recording *r)
{
    u32 msr = r->stack.architectural ? MSR_ARCH_LBR_CTL : MSR_DEBUGCTL;
    u64 now = read_msr(t, msr);
    struct switch_write start_stop = {.msr = msr, .on = now, .off = now & ~BIT(0)};
    ladder_run(&start_stop);
}

u32 of_ladder(const struct recording *r)
{
    u32 count = 0;
    for (u32 age = 0; age < r->stack.depth; age++)
        for (u32 i = 0; i < LADDER_BRANCHES; i++)
            count += to_matches(r, age, &r->ladder[i]);
    return count;
}

u32 ladder_records(const struct recording *r)
{
    return r->stack.depth < LADDER_BRANCHES ? r->stack.depth : LADDER_BRANCHES;
}

u32 recorded(struct test *t, const struct recording *r)
{
    if (r->stack.architectural)
        return used(&r->stack);
    u32 added = (u32)(read_msr(t, MSR_LBR_TOS) - r->before) % r->stack.depth;
    bool all = r->stack.depth <= LADDER_BRANCHES && to_matches(r, 0, &r->ladder[LADDER_BRANCHES - 1]);
    return added || !all ? added : r->stack.depth;
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
        if (!(r->ladder[i].kind & select) && !to_matches(r, age++, &r->ladder[i]))
            return false;
    u32 all = recorded(t, r);
    return age == all || (r->user && age + 1 == all);
}
