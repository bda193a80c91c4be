#include "pmu/cpu/apebs.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/pebs.h"
#include "pmu/cpu/second_names.h"
#include "pmu/gate/own.h"
#include "pmu/registers.h"

enum { OWN_FIXED_CONTROL = GP_COUNTERS_MAX, OWN_DEBUGCTL = GP_COUNTERS_MAX + 2 };

/* Slots above the event selects, with the bits that every CPU keeps. */
static const struct {
    u32 msr;
    u64 kept;
} others[OWN_OTHERS] = {
    {MSR_FIXED_CTR_CTRL, 0xbbbbbbb}, /* not AnyThread */
    {MSR_PERF_GLOBAL_CTRL, MASK(38, 32) | MASK(9, 0) | GLOBAL_METRICS},
    {MSR_DEBUGCTL,
     DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI | DEBUGCTL_FREEZE_WHILE_SMM},
    {MSR_PEBS_ENABLE, MASK(38, 32) | MASK(9, 0)}, /* of these, counters: not load latency */
    {MSR_PEBS_DATA_CFG, PEBS_DATA_MEMINFO | PEBS_DATA_GPR | PEBS_DATA_XMM | PEBS_DATA_LBR},
    {MSR_DS_AREA, ~0ull},
    {MSR_PEBS_BASE, ~0ull},
    {MSR_RTIT_CTL, RTIT_CTL_TRACE_EN | RTIT_CTL_OS | RTIT_CTL_USER}, /* Broadwell's ToPA and BranchEn read 1 */
    {MSR_ARCH_LBR_CTL, LBR_CTL_EN | LBR_CTL_OS | LBR_CTL_USR},
    {MSR_LBR_SELECT, MASK(8, 0)},
};

/* The index-th of the GP counters, and then of the fixed ones: its bit in IA32_PERF_GLOBAL_CTRL. */
static unsigned sampler(unsigned index)
{
    return index < GP_COUNTERS_MAX ? index : 32 + index - GP_COUNTERS_MAX;
}

static u32 msr_of(unsigned index)
{
    if (index < GP_COUNTERS_MAX)
        return MSR_PERFEVTSEL(index);
    if (index < OWN_SAMPLERS)
        return others[index - GP_COUNTERS_MAX].msr;
    return second_cfg_c(sampler(index - OWN_SAMPLERS));
}

unsigned own_slot(u32 msr)
{
    u32 second = msr - MSR_PMC_GP_CFG_A(0);
    if (second % SECOND_APART == 0 && second / SECOND_APART < GP_COUNTERS_MAX)
        return second / SECOND_APART; /* an event select by its second name */
    if (msr - MSR_PERFEVTSEL(0) < GP_COUNTERS_MAX)
        return msr - MSR_PERFEVTSEL(0);
    for (unsigned i = GP_COUNTERS_MAX; i < OWN_REGISTERS; i++)
        if (msr_of(i) == msr)
            return i;
    return OWN_REGISTERS;
}

void own_record(struct own *own, u32 msr, u64 value)
{
    unsigned i = own_slot(msr);
    if (i == OWN_REGISTERS)
        return;
    struct own_value *slot = &own->value[i];
    slot->before = slot->known ? slot->written : value;
    slot->written = value;
    slot->known = true;
}

u64 own_written(const struct own *own, u32 msr)
{
    unsigned i = own_slot(msr);
    return i < OWN_REGISTERS ? own->value[i].written : 0;
}

u32 own_register(const struct pmu_caps *caps, unsigned index)
{
    u32 msr = msr_of(index);
    if (index < GP_COUNTERS_MAX)
        return caps->gp_bitmap >> index & 1 && class_evtsel_reads_back(caps, index) ? msr : 0;
    if (msr == MSR_DS_AREA || msr == MSR_PEBS_ENABLE)
        return ds_usable(caps) ? msr : 0;
    if (msr == MSR_PEBS_DATA_CFG)
        return pebs_adaptive(caps) ? msr : 0;
    if (msr == MSR_PEBS_BASE)
        return apebs_usable(caps) ? msr : 0;
    if (index >= OWN_SAMPLERS)
        return apebs_counter_bits(caps) >> sampler(index - OWN_SAMPLERS) & 1 ? msr : 0;
    if (msr == MSR_RTIT_CTL)
        return caps_can_trace(caps) ? msr : 0;
    if (msr == MSR_ARCH_LBR_CTL)
        return caps->lbr_depths ? msr : 0;
    if (msr == MSR_LBR_SELECT) /* Nehalem's is the core's: the other thread writes it, too */
        return has_lbr_select(caps) && cpu_class(caps) != CLASS_NEHALEM ? msr : 0;
    return caps->version >= 2 ? msr : 0;
}

static u64 compared(const struct pmu_caps *caps, const struct own *own, unsigned index)
{
    if (index < GP_COUNTERS_MAX)
        return EVTSEL_DEFINED;
    if (index >= OWN_SAMPLERS)
        return CFG_C_PEBS_EN;
    u64 kept = others[index - GP_COUNTERS_MAX].kept, debugctl = own->value[OWN_DEBUGCTL].written;
    if (msr_of(index) == MSR_PEBS_ENABLE)
        return kept & (MASK(9, 0) | pebs_counter_bits(caps));
    if (msr_of(index) == MSR_PERF_GLOBAL_CTRL)
        kept &= MASK(34, 32) | MASK(9, 0) | caps_counter_bits(caps) |
                (caps->perf_capabilities & PERF_CAP_METRICS ? GLOBAL_METRICS : 0);
    if (msr_of(index) == MSR_DEBUGCTL && caps->lbr_depths)
        kept &= ~DEBUGCTL_LBR; /* reads 0 where branch records are architectural */
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
    for (unsigned i = OWN_SAMPLERS; i < OWN_REGISTERS; i++)
        if (own->value[i].written & CFG_C_PEBS_EN)
            return true;
    return false;
}
