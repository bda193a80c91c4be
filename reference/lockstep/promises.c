/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the manual promises of a value that is read, so that a CPU must show the model's: all of it, some bits, or
 * nothing once cycles have moved it.
 */
#include "boot/cpu.h"
#include "pmu/cpu/caps.h"
#include "pmu/cpu/counters.h"
#include "reference/lockstep/oracle.h"

/* ---- Rough counters. */

#define FIXED_BIT(i) (32u + (i))
#define SLACK_MISSES 1   /* every so many instructions: one more or less */
#define SLACK_SLOTS 1024 /* by a branch that is mispredicted, or not: an IRET has many */
#define SLACK_CLOCK 64   /* of the slower clocks, in ticks of the TSC */
#define SLACK_QUARTER 4  /* beside that, one of so many counts */

void promises_begin(struct promises *p)
{
    static const u16 slack[] = {[FIXED_REF_CYCLES] = SLACK_CLOCK, [4] = SLACK_SLOTS, [5] = SLACK_SLOTS, [6] = 0};
    for (unsigned i = FIXED_CORE_CYCLES; i < FIXED_COUNTERS_MAX; i++) {
        p->rough |= BIT(FIXED_BIT(i));
        p->counter[FIXED_BIT(i)].slack = i < ARRAY_SIZE(slack) ? slack[i] : SLACK_SLOTS;
    }
}

static const struct {
    u16 event, slack;
} rough_events[] = {{ARCH_EVENT_CORE_CYCLES, 0},
                    {ARCH_EVENT_REF_CYCLES, SLACK_CLOCK},
                    {ARCH_EVENT_LLC_REFERENCE, SLACK_MISSES},
                    {ARCH_EVENT_LLC_MISS, SLACK_MISSES},
                    {ARCH_EVENT_BRANCH_MISSES, SLACK_MISSES},
                    {ARCH_EVENT_TOPDOWN_SLOTS, 0},
                    {ARCH_EVENT_TOPDOWN_BACKEND, SLACK_SLOTS},
                    {ARCH_EVENT_TOPDOWN_BAD_SPEC, SLACK_SLOTS},
                    {ARCH_EVENT_TOPDOWN_FRONTEND, SLACK_SLOTS},
                    {ARCH_EVENT_TOPDOWN_RETIRING, 0}};

/* Its row in `rough_events`, or their number. */
static unsigned row_of_event(u64 select)
{
    unsigned i = 0;
    while (i < ARRAY_SIZE(rough_events) && EVTSEL_ENCODING(select) != rough_events[i].event)
        i++;
    return i;
}

static bool by_cycles(u64 select)
{
    return select & (EVTSEL_EDGE | EVTSEL_CMASK(0xff));
}

bool promises_rough(u64 select)
{
    return select & EVTSEL_EN && (by_cycles(select) || row_of_event(select) < ARRAY_SIZE(rough_events));
}

static u16 slack_of(u64 select)
{
    unsigned row = row_of_event(select);
    u16 slack = row < ARRAY_SIZE(rough_events) ? rough_events[row].slack : 0;
    return slack || !(select & EVTSEL_EDGE) ? slack : SLACK_MISSES; /* whether the condition held just before */
}

u32 promises_counter(const struct lockstep_step *step)
{
    if (step->op == OP_RDPMC)
        return step->number >= RDPMC_FIXED(0) ? FIXED_BIT(step->number - RDPMC_FIXED(0)) : step->number;
    if (step->op != OP_RDMSR && step->op != OP_WRMSR)
        return 64;
    return alias_value_bit(step->number);
}

void promises_switch(struct promises *p)
{
    p->switches++;
    p->noted = 0;
}

void promises_count(struct promises *p, const struct model *model, u8 cpl)
{
    u8 bit = cpl ? 2 : 1;
    if (p->noted & bit)
        return;
    p->noted |= bit;
    p->moved |= model_counting_at(model, cpl);
}

/* From here on, where it has this value. */
static void counts_from(struct promises *p, u32 counter, u64 value)
{
    struct rough *r = &p->counter[counter];
    *r = (struct rough){.since = value, .switches = p->switches, .slack = r->slack, .most = r->slack, .known = true};
    p->moved &= ~BIT(counter);
    p->noted = 0;
}

bool promises_moving(const struct promises *p, const struct lockstep_step *step)
{
    u32 counter = promises_counter(step);
    return counter < COUNTER_BITS && p->rough >> counter & 1;
}

bool promises_counts_each(const struct promises *p, struct model *model, u32 counter, u8 cpl)
{
    u64 select = ARCH_EVENT_INSTRUCTIONS; /* of a fixed counter that is not rough */
    if (counter >= COUNTER_BITS || p->rough >> counter & 1 || !(model_counting_at(model, cpl) >> counter & 1))
        return false;
    return counter >= 32 ||
           (model_rdmsr(model, MSR_PERFEVTSEL(counter), &select) && EVTSEL_ENCODING(select) == ARCH_EVENT_INSTRUCTIONS);
}

static u64 value_of(struct model *model, u32 counter)
{
    u64 value = 0;
    model_rdmsr(model, counter < 32 ? MSR_PMC(counter) : MSR_FIXED_CTR(counter - 32), &value);
    return value;
}

/* A counter has another event select: its value so far was exact, or stays rough until it is written. */
static void selected(struct promises *p, struct model *model, u32 counter, u64 select)
{
    struct rough *r = &p->counter[counter];
    r->slack = promises_rough(select) ? slack_of(select) : 0;
    r->most = r->slack > r->most ? r->slack : r->most;
    if (!promises_rough(select) || p->rough >> counter & 1)
        return;
    p->rough |= BIT(counter);
    counts_from(p, counter, value_of(model, counter));
}

/* A counter was written. It stays rough if its event is. */
static void has_value(struct promises *p, struct model *model, u32 counter)
{
    u64 select = 0;
    if (counter < 32 && model_rdmsr(model, MSR_PERFEVTSEL(counter), &select) && !promises_rough(select))
        p->rough &= ~BIT(counter);
    counts_from(p, counter, value_of(model, counter));
}

/* The GP counter whose event select this is, by either name; 64: none. */
static u32 select_of(u32 msr)
{
    return msr - MSR_PERFEVTSEL(0) < GP_COUNTERS_MAX ? msr - MSR_PERFEVTSEL(0)
                                                     : alias_number(msr, MSR_PMC_GP_CFG_A(0), GP_COUNTERS_MAX);
}

static u64 distance(u64 one, u64 other)
{
    return one > other ? one - other : other - one;
}

#define MOVES_LEAST 256 /* once the model's counter has moved this far, the CPU's must have moved, too */

/* Where the model's rough counter has `want`. If it is lower than before, it was reloaded. */
static bool is_near(const struct promises *p, u32 counter, u64 want, u64 got)
{
    const struct rough *r = &p->counter[counter];
    u64 counted = want - r->since;
    if (!r->known || want < r->since || got == want)
        return true;
    if (!(p->moved >> counter & 1))
        return false;
    if (!p->modelled)
        return counted < MOVES_LEAST || got != r->since;
    return distance(got, want) <= counted / SLACK_QUARTER + (u64)r->most * (1 + p->switches - r->switches);
}

/* The CPU's rough counter had this value where the model's had `want`, so the model's is corrected. */
static void is_known(struct promises *p, struct model *model, u32 counter, u64 want, u64 got)
{
    model_counted_more(model, (u8)counter, got - want);
    counts_from(p, counter, got);
}

/* ---- Other registers with partly promised bits. */

static bool flags_of_record(u32 msr)
{
    return msr - MSR_LBR_INFO(0) < 64 || msr - MSR_ARCH_LBR_INFO(0) < 64;
}

/* A model that retells begins with the most cycles since a record before. */
bool promises_unknown_cycles(u64 info)
{
    return (info & MASK(31, 0)) == LBR_INFO_CYCLES;
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
    if (promises->modelled && flags_of_record(msr))
        return promises_unknown_cycles(want) ? transactions : promises->info_told;
    if (promises->modelled && msr != MSR_PERF_METRICS)
        return ~0ull;
    if (msr == MSR_PERF_METRICS)
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
    return step->op == OP_RDMSR ? step->number : 0;
}

static void keeps(struct promises *p, struct model *model, u32 msr)
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
    u32 counter = promises_counter(step), select = select_of(step->number);
    promises_switch(promises);
    if (select < 32)
        selected(promises, model, select, step->value);
    if (counter < COUNTER_BITS)
        has_value(promises, model, counter);
    else
        keeps(promises, model, step->number);
    promises->metrics[0] = 0;
    if (counter == FIXED_BIT(FIXED_TOPDOWN_SLOTS) && !step->value)
        keeps(promises, model, MSR_PERF_METRICS);
}

void promises_read(struct promises *promises, struct model *model, const struct lockstep_step *step)
{
    u64 control;
    if (step->op != OP_RDPMC || step->number != RDPMC_METRICS || !model_rdmsr(model, MSR_FIXED_CTR_CTRL, &control) ||
        !(control & FIXED_METRICS_CLEAR))
        return;
    keeps(promises, model, MSR_PERF_METRICS);
    promises->metrics[0] = 0;
    counts_from(promises, FIXED_BIT(FIXED_TOPDOWN_SLOTS), 0);
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

#define METRICS_APART 96  /* of 255, for blocks in which a misprediction more or less does not matter */
#define METRICS_SURE 8192 /* slots */

static bool metrics_are_near(u64 want, u64 got)
{
    for (unsigned field = 0; field < 8; field++)
        if (distance(want >> 8 * field & 0xff, got >> 8 * field & 0xff) > METRICS_APART)
            return false;
    return true;
}

/* PERF_METRICS where the model has `want`. It must not move while nothing counts, unless the model's does. */
static bool metrics_fit(struct promises *p, struct model *model, u64 want, u64 got)
{
    const u64 *was = p->metrics;
    bool stands = was[0] && was[0] == want && p->metrics_moment == p->moment, fits = !stands || got == was[1];
    u64 slots = value_of(model, FIXED_BIT(FIXED_TOPDOWN_SLOTS));
    if (p->modelled && slots > METRICS_SURE && slots < MASK(40, 0))
        fits &= metrics_are_near(want, got);
    p->metrics[0] = want;
    p->metrics[1] = got;
    p->metrics_moment = p->moment;
    return fits;
}

/* PERF_METRICS must have moved since they were written, but have not. */
static bool are_dead(const struct promises *p, u32 msr, u64 want, u64 got)
{
    for (unsigned i = 0; i < p->count; i++)
        if (msr == MSR_PERF_METRICS && p->written[i].msr == msr && got == p->written[i].value && got != want)
            return p->moment - p->written[i].moment >= MOVES_LEAST;
    return false;
}

bool promises_keep(struct promises *promises, struct model *model, const struct lockstep_step *step, u64 want, u64 got)
{
    u32 msr = register_of(step), counter = promises_counter(step);
    if (msr == MSR_PERF_METRICS && !metrics_fit(promises, model, want, got))
        return false;
    if (!promises_moving(promises, step))
        return !((got ^ want) & promised(promises, step, msr, want)) && !are_dead(promises, msr, want, got);
    if (!want && promises->counter[counter].since) /* RDPMC hides it */
        return !got;
    if (!is_near(promises, counter, want, got))
        return false;
    is_known(promises, model, counter, want, got);
    return true;
}
