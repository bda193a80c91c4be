/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is known of NetBurst's PMU at a step of a walk: which of its two counters are on, and how far the one that
 * samples is from its end.
 */
#include "pmu/area/ds.h"
#include "pmu/registers.h"
#include "reference/lockstep/oracle.h"

#define COUNTER_MASK MASK(39, 0)
#define CRU_ESCRS 4
#define FAR_AWAY 4096  /* more loads than a walk has */
#define PERIOD_LEAST 3 /* after a record in the first instruction of a step */

/* Which of the two CCCRs that may be written; or more than these. */
static u32 control_number(u32 msr)
{
    return msr - MSR_CCCR(NETBURST_IQ_COUNTER(4));
}

static bool is_control(u32 msr)
{
    return control_number(msr) < NETBURST_SAMPLERS;
}

static u32 own_control(const struct space *s)
{
    return MSR_CCCR(NETBURST_IQ_COUNTER(4) + s->thread);
}

static unsigned cru_escr(u32 msr)
{
    for (unsigned n = 0; n < CRU_ESCRS; n++)
        if (msr == MSR_CRU_ESCR(n))
            return n;
    return CRU_ESCRS;
}

static bool counts_other(const struct space *s, u64 escr)
{
    return escr & (s->thread ? ESCR_T0_OS : ESCR_T1_OS);
}

static void control_written(const struct space *s, struct netburst_known *known, u32 msr, u64 value)
{
    u32 n = control_number(msr);
    bool was = netburst_sampling(s, known);
    known->enabled &= (u8)~BIT(n);
    known->enabled |= value & CCCR_ENABLE ? BIT(n) : 0;
    if (n != s->thread || !(value & CCCR_ENABLE))
        return;
    if (!was)
        known->left = known->value;
    known->armed = false;
    known->value = 0; /* it counts */
}

void netburst_after_write(const struct space *s, struct netburst_known *known, u32 msr, u64 value)
{
    unsigned escr = cru_escr(msr);
    if (is_control(msr))
        control_written(s, known, msr, value);
    if (msr == MSR_NETBURST_COUNTER(NETBURST_IQ_COUNTER(4) + s->thread))
        known->value = (0 - value) & COUNTER_MASK;
    if (msr == MSR_PEBS_ENABLE)
        known->samples = (value & PEBS_UOP_TAG) && (value & PEBS_MY_THREAD);
    if (escr == CRU_ESCRS)
        return;
    known->other &= (u8)~BIT(escr);
    known->other |= counts_other(s, value) ? BIT(escr) : 0;
}

void netburst_after_poke(const struct space *s, struct netburst_known *known, u32 offset, u64 value)
{
    struct ds_layout layout = ds_layout(true, 0);
    if (s->netburst && offset == layout.gp_reset)
        known->period = (0 - value) & COUNTER_MASK;
}

bool netburst_sampling(const struct space *s, const struct netburst_known *known)
{
    return known->samples && (known->enabled >> s->thread & 1);
}

/* The next step's first load is the first event, and its second one the second: that one may overflow. After a record,
 * in the first load, the second is the first event. Not if each event is an overflow. */
static bool aligned(const struct netburst_known *known, u64 control)
{
    u64 least = control & (CCCR_OVF_PMI_T0 | CCCR_OVF_PMI_T1) ? FAR_AWAY : PERIOD_LEAST;
    return !(control & CCCR_FORCE_OVF) && known->value && !(known->value & 1) && (known->period & 1) &&
           known->period >= least;
}

bool netburst_starts(const struct space *s, const struct netburst_known *known, const struct walk_step *step)
{
    return step->op == OP_WRMSR && step->number == own_control(s) && step->value & CCCR_ENABLE && known->samples;
}

/* A step while a counter samples: a loop, or the write that stops it. */
static bool may_follow(const struct space *s, const struct walk_step *step)
{
    if (step->op == OP_LOOP)
        return step->number >= NETBURST_LOOP;
    return step->op == OP_SETTLE ||
           (step->op == OP_WRMSR && step->number == own_control(s) && !(step->value & CCCR_ENABLE));
}

bool netburst_defined(const struct space *s, const struct netburst_known *known, const struct walk_step *step)
{
    bool starts = netburst_starts(s, known, step);
    if (netburst_sampling(s, known))
        return may_follow(s, step);
    if (step->op != OP_WRMSR)
        return true;
    if (cru_escr(step->number) != CRU_ESCRS && counts_other(s, step->value) && known->enabled)
        return false;
    if (is_control(step->number) && step->value & CCCR_ENABLE && known->other)
        return false;
    return !starts || (!known->enabled && aligned(known, step->value));
}

bool netburst_defined_in_handler(const struct walk_step *step)
{
    return step->op != OP_WRMSR || (is_control(step->number) && !(step->value & CCCR_ENABLE));
}

void netburst_after_loop(const struct space *s, struct netburst_known *known)
{
    if (!netburst_sampling(s, known))
        return;
    known->left = known->armed ? known->period - 1 : known->left - 2;
    known->armed = !known->left;
}

bool netburst_needs_loop(const struct space *s, const struct netburst_known *known)
{
    return netburst_sampling(s, known) && !known->armed && known->left == 2;
}
