/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What this image last wrote to each control register of each CPU. Firmware agents and SMM handlers write these
 * registers too: if a register no longer reads as written, other software has changed it, and what was counted
 * meanwhile is meaningless.
 */
#include "pmu/cpu/class.h"
#include "pmu/cpu/counters.h"
#include "pmu/cpu/pebs.h"
#include "pmu/gate/gate.h"
#include "pmu/state/register.h"

/*
 * The slots: a register each of the rows that are watched, in the table's order. Left out are registers that a core or
 * a module shares, because its other threads write them too: MSR_OFFCORE_RSP_n, and all of NetBurst.
 */
static struct {
    u32 msr[OWN_REGISTERS];
    u8 first[REGISTER_ROWS_MAX];                      /* slot of a row's first register */
    u8 sampler[GP_COUNTERS_MAX + FIXED_COUNTERS_MAX]; /* slots of the counters' CFG_C */
    unsigned samplers;
    volatile bool filled;
} slots;

static bool has_slots(const struct register_row *row)
{
    return row->watched && !row->netburst && row->keep != ALIAS;
}

/* CPUs that do so at the same time write the same: whatever counts is a variable of its own. */
static void fill(void)
{
    unsigned slot = 0, samplers = 0;
    for_each_register (row) {
        slots.first[row - register_rows] = (u8)slot;
        for (unsigned n = 0; has_slots(row) && n < row->family.count && slot < OWN_REGISTERS; n++)
            slots.msr[slot++] = register_index(row, n);
    }
    for (slot = 0; slot < OWN_REGISTERS; slot++)
        if (alias_cfg_c_bit(slots.msr[slot]) != 64)
            slots.sampler[samplers++] = (u8)slot;
    slots.samplers = samplers;
    __asm__ volatile("" : : : "memory"); /* other CPUs see the slots first */
    slots.filled = true;
}

static u32 msr_of(unsigned slot)
{
    if (!slots.filled)
        fill();
    return slots.msr[slot];
}

unsigned own_slot(u32 msr)
{
    unsigned alias = alias_number(msr, MSR_PMC_GP_CFG_A(0), GP_COUNTERS_MAX);
    if (alias != 64)
        msr = MSR_PERFEVTSEL(alias); /* an event select, written by its alias */
    const struct register_row *row = register_row_of(NULL, msr);
    if (!slots.filled)
        fill();
    if (!row || !has_slots(row))
        return OWN_REGISTERS;
    return slots.first[row - register_rows] + register_number_in(row, msr);
}

void own_record(struct own *own, unsigned slot, u64 value)
{
    if (slot == OWN_REGISTERS)
        return;
    struct own_value *last = &own->value[slot];
    last->known_before = last->known;
    last->before = last->known ? last->written : value;
    last->written = value;
    last->known = true;
}

void own_take_back(struct own *own, unsigned slot)
{
    if (slot == OWN_REGISTERS)
        return;
    own->value[slot].written = own->value[slot].before;
    own->value[slot].known = own->value[slot].known_before;
}

u64 own_written(const struct own *own, u32 msr)
{
    unsigned i = own_slot(msr);
    return i < OWN_REGISTERS ? own->value[i].written : 0;
}

/* Registers that a core or a module shares are left out: its other threads write them too. */
u32 own_register(const struct pmu_caps *caps, unsigned index)
{
    u32 msr = msr_of(index);
    const struct register_row *row = msr ? register_row_of(caps, msr) : NULL;
    if (!row)
        return 0;
    unsigned n = register_number_in(row, msr);
    if (!row->watched || !register_is_there(row, caps, n) || register_scope_on(row, caps) != THREAD)
        return 0;
    unsigned select = msr - MSR_PERFEVTSEL(0);
    return select < GP_COUNTERS_MAX && !class_evtsel_reads_back(caps, select) ? 0 : msr;
}

static u64 compared(const struct pmu_caps *caps, const struct own *own, unsigned index)
{
    const struct own_value *control = &own->value[own_slot(MSR_DEBUGCTL)];
    u64 kept = register_row_of(caps, msr_of(index))->watched, debugctl = control->written;
    if (msr_of(index) == MSR_PEBS_ENABLE)
        return kept & (MASK(9, 0) | pebs_counter_bits(caps));
    if (msr_of(index) == MSR_PERF_GLOBAL_CTRL)
        kept &= MASK(34, 32) | MASK(9, 0) | caps_counter_bits(caps) |
                (caps->perf_capabilities & PERF_CAP_METRICS ? GLOBAL_METRICS : 0);
    if (msr_of(index) == MSR_DEBUGCTL && caps->lbr_depths)
        kept &= ~DEBUGCTL_LBR; /* reads 0 on CPUs with architectural branch records */
    bool legacy = caps->version < 4 && control->known;
    if (legacy && msr_of(index) == MSR_PERF_GLOBAL_CTRL && debugctl & DEBUGCTL_FREEZE_PERFMON_ON_PMI)
        return 0;
    if (legacy && msr_of(index) == MSR_DEBUGCTL && debugctl & DEBUGCTL_FREEZE_LBRS_ON_PMI)
        return kept & ~DEBUGCTL_LBR;
    return kept;
}

bool own_agrees(const struct pmu_caps *caps, const struct own *own, unsigned index, u64 found)
{
    const struct own_value *slot = &own->value[index];
    u64 mask = compared(caps, own, index);
    return !slot->known || !((found ^ slot->written) & mask) || !((found ^ slot->before) & mask);
}

u64 own_interrupting(const struct own *own)
{
    unsigned first = own_slot(MSR_PERFEVTSEL(0));
    u64 bits = 0, fixed = own_written(own, MSR_FIXED_CTR_CTRL);
    for (unsigned n = 0; n < GP_COUNTERS_MAX; n++)
        bits |= own->value[first + n].written & EVTSEL_INT ? STATUS_GP(n) : 0;
    for (unsigned i = 0; i < FIXED_COUNTERS_MAX; i++)
        bits |= fixed & FIXED_PMI(i) ? STATUS_FIXED(i) : 0;
    return bits;
}

/* It is asked before counters are started and stopped, also by the handler of a PMI while they still count: short. */
bool own_samples(const struct own *own)
{
    u64 any = 0;
    for (unsigned i = 0; i < slots.samplers; i++)
        any |= own->value[slots.sampler[i]].written;
    return any & CFG_C_PEBS_EN;
}

bool own_selects(unsigned slot)
{
    u32 msr = slot < OWN_REGISTERS ? msr_of(slot) : 0;
    return msr == MSR_FIXED_CTR_CTRL || msr - MSR_PERFEVTSEL(0) < GP_COUNTERS_MAX;
}
