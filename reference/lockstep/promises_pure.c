/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/cpu.h"
#include "pmu/cpu/alias.h"
#include "pmu/cpu/caps.h"
#include "reference/lockstep/promises.h"

/* The first name of a fixed counter, if this is its alias. */
static u32 first_name(u32 msr)
{
    unsigned i = alias_number(msr, MSR_PMC_FX_CTR(0), FIXED_COUNTERS_MAX);
    return i == 64 ? msr : MSR_FIXED_CTR(i);
}

/* Do cycles move it? Fixed counters except that of instructions, and PERF_METRICS. */
static bool by_cycles(u32 msr)
{
    return msr == MSR_PERF_METRICS || msr - MSR_FIXED_CTR(FIXED_CORE_CYCLES) < FIXED_COUNTERS_MAX - FIXED_CORE_CYCLES;
}

static bool flags_of_record(u32 msr)
{
    return msr - MSR_LBR_INFO(0) < 64 || msr - MSR_ARCH_LBR_INFO(0) < 64;
}

/* Types from 8 on are those of other branches. SDM 3B, "IA32_LBR_x_INFO". */
static u64 type_promised(u64 info)
{
    return info & LBR_INFO_TYPE_OTHER ? LBR_INFO_TYPE_OTHER : LBR_INFO_TYPE;
}

/* The bits of a register that are always promised, and modelled exactly, if the model has this value. */
static u64 always(const struct promises *promises, u32 msr, u64 want)
{
    u64 transactions = promises->info_kept & (LBR_INFO_IN_TX | LBR_INFO_ABORT);
    if (by_cycles(msr))
        return 0;
    if (msr - MSR_LBR_FROM(0) < 64 || msr - MSR_LBR_TO(0) < 64 || msr - MSR_ARCH_LBR_FROM(0) < 64 ||
        msr - MSR_ARCH_LBR_TO(0) < 64 || msr - MSR_LBR_OLD_FROM(0) < 8 || msr - MSR_LBR_OLD_TO(0) < 8)
        return MASK(47, 0);
    if (msr - MSR_ARCH_LBR_INFO(0) < 64)
        return transactions | type_promised(want);
    return flags_of_record(msr) ? transactions : ~0ull;
}

/* The register that a step reads; 0: none. */
static u32 register_of(const struct lockstep_step *step)
{
    if (step->op == OP_RDPMC && step->number == RDPMC_METRICS)
        return MSR_PERF_METRICS;
    if (step->op == OP_RDPMC && step->number >= RDPMC_FIXED(0))
        return MSR_FIXED_CTR(step->number - RDPMC_FIXED(0));
    return step->op == OP_RDMSR ? first_name(step->number) : 0;
}

static void is_known(struct promises *p, struct model *model, u32 msr)
{
    u64 value;
    unsigned i = 0;
    if (always(p, msr, 0) == ~0ull || !model_rdmsr(model, msr, &value))
        return;
    while (i < p->count && p->written[i].msr != msr)
        i++;
    if (i == WRITTEN_MOST)
        return;
    p->count += i == p->count;
    p->written[i] = (struct written){msr, p->moment, value};
}

/* Writing 0 to slots clears the metrics with them. */
void promises_written(struct promises *promises, struct model *model, const struct lockstep_step *step)
{
    u32 msr = first_name(step->number);
    is_known(promises, model, msr);
    if (msr == MSR_FIXED_CTR(FIXED_TOPDOWN_SLOTS) && !step->value)
        is_known(promises, model, MSR_PERF_METRICS);
}

void promises_read(struct promises *promises, struct model *model, const struct lockstep_step *step)
{
    u64 control;
    if (step->op != OP_RDPMC || step->number != RDPMC_METRICS || !model_rdmsr(model, MSR_FIXED_CTR_CTRL, &control) ||
        !(control & FIXED_METRICS_CLEAR))
        return;
    is_known(promises, model, MSR_PERF_METRICS);
    is_known(promises, model, MSR_FIXED_CTR(FIXED_TOPDOWN_SLOTS));
}

static u64 promised(const struct promises *p, const struct lockstep_step *step, u32 msr, u64 want)
{
    if (step->op == OP_READ_LVTPC || step->op == OP_X2_READ_LVTPC)
        return ~LVT_STATUS;
    for (unsigned i = 0; i < p->count; i++)
        if (msr && p->written[i].msr == msr && p->written[i].moment == p->moment) /* nothing has changed it */
            return flags_of_record(msr) ? p->info_kept : ~0ull;
    return always(p, msr, want);
}

#define MOVES_LEAST 256 /* once the model's counter has moved this far, the CPU's must have moved, too */

/* It must have moved since it was written, but has not. */
static bool is_dead(const struct promises *p, u32 msr, u64 want, u64 got)
{
    bool every_cycle = msr - MSR_FIXED_CTR(FIXED_CORE_CYCLES) <= FIXED_TOPDOWN_SLOTS - FIXED_CORE_CYCLES;
    for (unsigned i = 0; i < p->count; i++)
        if ((every_cycle || msr == MSR_PERF_METRICS) && p->written[i].msr == msr && got == p->written[i].value &&
            got != want)
            return (msr == MSR_PERF_METRICS ? p->moment - p->written[i].moment : want - got) >= MOVES_LEAST;
    return false;
}

bool promises_keep(const struct promises *promises, const struct lockstep_step *step, u64 want, u64 got)
{
    u32 msr = register_of(step);
    return !((got ^ want) & promised(promises, step, msr, want)) && !is_dead(promises, msr, want, got);
}
