/* SPDX-License-Identifier: BSD-2-Clause */
/* One branch record: reading and writing it. */
#include "kernel/register/msr.h"
#include "pmu/gate/write.h"
#include "pmu/registers.h"
#include "pmu/sampling/sampled.h"

/* The registers of a record. */
struct place {
    u32 from, to, info;
};
static struct place place_of(const struct lbr_stack *stack, u32 age)
{
    u32 n;
    if (stack->architectural)
        n = age;
    else
        n = ((u32)rdmsr(MSR_LBR_TOS) + stack->depth - age) % stack->depth;
    return (struct place){stack->from + n, stack->to + n, stack->infos + n};
}

struct branch_record lbr_record(const struct lbr_stack *stack, u32 age)
{
    struct place at = place_of(stack, age);
    return (struct branch_record){
        .from = rdmsr(at.from),
        .to = rdmsr(at.to),
        .info = stack->info ? rdmsr(at.info) : 0,
    };
}

void lbr_put(const struct lbr_stack *stack, u32 age, const struct branch_record *record)
{
    struct place at = place_of(stack, age);
    wrmsr(at.from, record->from);
    wrmsr(at.to, record->to);
    if (stack->info)
        wrmsr(at.info, record->info);
}
