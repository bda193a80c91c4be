/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/cpu/alias.h"
#include "pmu/cpu/apebs.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/pebs.h"
#include "pmu/gate/own.h"
#include "pmu/state/register.h"

enum { OWN_FIXED_CONTROL = GP_COUNTERS_MAX, OWN_DEBUGCTL = GP_COUNTERS_MAX + 2 };

/*
 * The slots after the event selects; the table of registers says which bits are compared. Left out are registers that a
 * core or a module shares, because its other threads write them too: MSR_OFFCORE_RSP_n, and all of NetBurst.
 */
static const u32 others[OWN_OTHERS] = {
    MSR_FIXED_CTR_CTRL, MSR_PERF_GLOBAL_CTRL, MSR_DEBUGCTL, MSR_PEBS_ENABLE,  MSR_PEBS_DATA_CFG, MSR_DS_AREA,
    MSR_PEBS_BASE,      MSR_PEBS_INDEX,       MSR_RTIT_CTL, MSR_ARCH_LBR_CTL, MSR_LBR_SELECT,
};

/* The bit in IA32_PERF_GLOBAL_CTRL of counter `index`, GP counters first, then fixed ones. */
static unsigned bit_of(unsigned index)
{
    return index < GP_COUNTERS_MAX ? index : 32 + index - GP_COUNTERS_MAX;
}

static u32 msr_of(unsigned index)
{
    if (index < GP_COUNTERS_MAX)
        return MSR_PERFEVTSEL(index);
    if (index < OWN_SAMPLERS)
        return others[index - GP_COUNTERS_MAX];
    if (index < OWN_RELOADS)
        return alias_cfg_c(bit_of(index - OWN_SAMPLERS));
    return alias_cfg_b(bit_of(index - OWN_RELOADS));
}

/* The slot of a counter's register, among slots in the order of bit_of(). */
static unsigned slot_at(unsigned first, unsigned bit)
{
    return first + (bit < 32 ? bit : GP_COUNTERS_MAX + bit - 32);
}

unsigned own_slot(u32 msr)
{
    unsigned alias = alias_number(msr, MSR_PMC_GP_CFG_A(0), GP_COUNTERS_MAX);
    if (alias != 64)
        return alias; /* an event select, written by its alias */
    if (msr - MSR_PERFEVTSEL(0) < GP_COUNTERS_MAX)
        return msr - MSR_PERFEVTSEL(0);
    for (unsigned i = 0; i < OWN_OTHERS; i++)
        if (others[i] == msr)
            return GP_COUNTERS_MAX + i;
    if (alias_cfg_c_bit(msr) != 64)
        return slot_at(OWN_SAMPLERS, alias_cfg_c_bit(msr));
    return alias_cfg_b_bit(msr) != 64 ? slot_at(OWN_RELOADS, alias_cfg_b_bit(msr)) : OWN_REGISTERS;
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
    const struct register_row *row = register_row_of(caps, msr);
    unsigned n = register_number_in(row, msr);
    if (!row->watched || !register_is_there(row, caps, n) || register_scope_on(row, caps) != THREAD)
        return 0;
    return index < GP_COUNTERS_MAX && !class_evtsel_reads_back(caps, index) ? 0 : msr;
}

static u64 compared(const struct pmu_caps *caps, const struct own *own, unsigned index)
{
    u64 kept = register_row_of(caps, msr_of(index))->watched, debugctl = own->value[OWN_DEBUGCTL].written;
    if (msr_of(index) == MSR_PEBS_ENABLE)
        return kept & (MASK(9, 0) | pebs_counter_bits(caps));
    if (msr_of(index) == MSR_PERF_GLOBAL_CTRL)
        kept &= MASK(34, 32) | MASK(9, 0) | caps_counter_bits(caps) |
                (caps->perf_capabilities & PERF_CAP_METRICS ? GLOBAL_METRICS : 0);
    if (msr_of(index) == MSR_DEBUGCTL && caps->lbr_depths)
        kept &= ~DEBUGCTL_LBR; /* reads 0 on CPUs with architectural branch records */
    bool legacy = caps->version < 4 && own->value[OWN_DEBUGCTL].known;
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
    u64 bits = 0;
    for (unsigned n = 0; n < GP_COUNTERS_MAX; n++)
        if (own->value[n].written & EVTSEL_INT)
            bits |= STATUS_GP(n);
    for (unsigned i = 0; i < FIXED_COUNTERS_MAX; i++)
        if (own->value[OWN_FIXED_CONTROL].written & FIXED_PMI(i))
            bits |= STATUS_FIXED(i);
    return bits;
}

bool own_samples(const struct own *own)
{
    for (unsigned i = OWN_SAMPLERS; i < OWN_RELOADS; i++)
        if (own->value[i].written & CFG_C_PEBS_EN)
            return true;
    return false;
}
