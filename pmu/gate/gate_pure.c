#include "kernel/cpu/apic.h"
#include "pmu/class.h"
#include "pmu/gate/gate.h"
#include "pmu/gate/gate_bits.h"
#include "pmu/registers.h"

#define PAT_TYPES 8

/* ---- Values that are decided on as a whole. */

/* Classes on whose silicon a bit above the counter's width has been seen to fault: there it may be tried. */
static bool width_tested(const struct pmu_caps *caps)
{
    switch (cpu_class(caps)) {
    case CLASS_SANDY_BRIDGE:
    case CLASS_BROADWELL:
    case CLASS_SKYLAKE:
    case CLASS_SILVERMONT:
        return true;
    default:
        return false;
    }
}

/* Classes of which every bit of every architectural PMU register has been tried, by dumps that show the outcome. */
static bool walk_tested(const struct pmu_caps *caps)
{
    switch (cpu_class(caps)) {
    case CLASS_CORE2:
    case CLASS_BONNELL:
        return true;
    default:
        return width_tested(caps);
    }
}

/* NetBurst's registers of these numbers are others, and a class that nobody knows has none at all to try. */
static bool walk_possible(const struct pmu_caps *caps, const struct gate_context *context)
{
    return walk_tested(caps) || (context->unlocked && cpu_class(caps) != CLASS_NETBURST);
}

static bool one_bit(u64 value)
{
    return value && !(value & (value - 1));
}

static bool walk_permits(const struct pmu_caps *caps, const struct gate_context *context, u64 value)
{
    return context->walking && context->counters_stopped && context->current_known &&
           one_bit(value ^ context->current) && walk_possible(caps, context);
}

static bool one_bit_above(const struct pmu_caps *caps, unsigned width, u64 value)
{
    return width_tested(caps) && one_bit(value & ~counter_mask(width));
}

static bool above_gp_width(const struct pmu_caps *caps, const struct gate_context *context, u64 value)
{
    (void)context;
    return one_bit_above(caps, caps->gp_width, value);
}

static bool above_fixed_width(const struct pmu_caps *caps, const struct gate_context *context, u64 value)
{
    (void)context;
    return one_bit_above(caps, caps->fixed_width, value);
}

/* Classes on whose silicon a faulting write to these has been seen. */
static bool read_only_tested(const struct pmu_caps *caps)
{
    return cpu_class(caps) == CLASS_SKYLAKE;
}

static bool read_only(const struct pmu_caps *caps, const struct gate_context *context, u64 value)
{
    return read_only_tested(caps) && (value == 0 || (context->current_known && value == context->current));
}

static bool read_only_status(const struct pmu_caps *caps, const struct gate_context *context, u64 value)
{
    return caps->version >= 2 && read_only(caps, context, value);
}

static bool read_only_inuse(const struct pmu_caps *caps, const struct gate_context *context, u64 value)
{
    return caps->version >= 4 && read_only(caps, context, value);
}

static bool read_only_capabilities(const struct pmu_caps *caps, const struct gate_context *context, u64 value)
{
    return caps->pdcm && read_only(caps, context, value);
}

static bool microcode_sequence(const struct pmu_caps *caps, const struct gate_context *context, u64 value)
{
    (void)caps;
    return context->intel && (context->family == 6 || context->family == 15) && value == 0;
}

static bool only_zero(const struct pmu_caps *caps, const struct gate_context *context, u64 value)
{
    (void)caps;
    (void)context;
    return value == 0;
}

/* SDM 3B, "Setting Up the DS Save Area": the hardware writes to wherever this points. */
static bool own_area(const struct pmu_caps *caps, const struct gate_context *context, u64 value)
{
    (void)caps;
    (void)value;
    return context->area_offered;
}

static bool x2apic_any(const struct pmu_caps *caps, const struct gate_context *context, u64 value)
{
    (void)caps;
    (void)value;
    return context->x2apic;
}

static bool x2apic_lvtpc(const struct pmu_caps *caps, const struct gate_context *context, u64 value)
{
    u64 delivery = value & LVT_DELIVERY_MASK;
    return x2apic_any(caps, context, value) && (delivery == LVT_DELIVERY_FIXED || delivery == LVT_DELIVERY_NMI);
}

/* SDM 3A, "Page Attribute Table": types 2, 3 and those above 7 are reserved. */
static bool pat(const struct pmu_caps *caps, const struct gate_context *context, u64 value)
{
    (void)caps;
    (void)context;
    for (unsigned i = 0; i < PAT_TYPES; i++, value >>= 8)
        if ((value & 0xff) > 7 || (value & 0xff) == 2 || (value & 0xff) == 3)
            return false;
    return true;
}

static bool efer(const struct pmu_caps *caps, const struct gate_context *context, u64 value)
{
    (void)caps;
    u64 may_change = EFER_NXE | (context->svm ? EFER_SVME : 0);
    return context->current_known && !((value ^ context->current) & ~may_change);
}

static bool hsave(const struct pmu_caps *caps, const struct gate_context *context, u64 value)
{
    (void)caps;
    return context->svm && !(value & ~MASK(51, 12));
}

/*
 * ---- The list. The first row whose range holds the register decides: the register must exist (bits), and all set bits
 * must be among `bits` or `value` must hold. A row with `value` alone needs no more than that.
 */

struct gate_row {
    u32 first, count;
    unsigned wants;
    bool (*bits)(const struct pmu_caps *caps, unsigned n, u64 *bits);
    bool (*value)(const struct pmu_caps *caps, const struct gate_context *context, u64 value);
    const char *rule;
};

#define PMU_ROW (GATE_CAPS | GATE_HANDOFF)
#define WALK_ROW (PMU_ROW | GATE_WALK)
#define DS_ROW (GATE_CAPS | GATE_HANDOFF | GATE_STOPPED)
#define RO_ROW (GATE_CAPS | GATE_CURRENT)
#define AREA_ROW (DS_ROW | GATE_AREA)

static const struct gate_row rows[] = {
    {MSR_PERFEVTSEL(0), GP_COUNTERS_MAX, WALK_ROW, evtsel_bits, NULL,
     "event selects: defined bits, enumerated counters"},
    {MSR_PMC(0), GP_COUNTERS_MAX, WALK_ROW, pmc_bits, NULL, "GP counters: enumerated ones, their width"},
    {MSR_A_PMC(0), GP_COUNTERS_MAX, WALK_ROW, a_pmc_bits, above_gp_width,
     "full-width GP counters: PERF_CAPABILITIES[13], width"},
    {MSR_FIXED_CTR(0), FIXED_COUNTERS_MAX, WALK_ROW, fixed_ctr_bits, above_fixed_width,
     "fixed counters: enumerated ones, their width"},
    {MSR_FIXED_CTR_CTRL, 1, WALK_ROW, fixed_control_bits, NULL, "fixed control: defined bits, enumerated counters"},
    {MSR_PERF_GLOBAL_CTRL, 1, WALK_ROW | GATE_SAMPLING, global_ctrl_bits, NULL,
     "global control: enumerated counters; while PEBS is enabled a DS area of our own"},
    {MSR_PERF_GLOBAL_STATUS_RESET, 1, GATE_CAPS | GATE_WALK, status_reset_bits, NULL,
     "status reset: defined status bits"},
    {MSR_PERF_GLOBAL_STATUS_SET, 1, GATE_CAPS | GATE_WALK, status_set_bits, NULL,
     "status set: version 4, defined status bits"},
    {MSR_DEBUGCTL, 1, PMU_ROW, debugctl_bits, NULL, "DEBUGCTL: bits 0, 11, 12 and 14 where enumerated"},
    {MSR_PEBS_ENABLE, 1, DS_ROW, pebs_enable_bits, NULL, "PEBS enable: sampling counters, stopped, known class"},
    {MSR_PEBS_DATA_CFG, 1, DS_ROW, pebs_data_cfg_bits, NULL, "PEBS data groups: adaptive PEBS, stopped"},
    {MSR_PEBS_LD_LAT, 1, PMU_ROW, pebs_latency_bits, NULL, "load latency threshold: classes that sample by it"},
    {MSR_DS_AREA, 1, AREA_ROW, ds_area_bits, own_area, "DS area: none or our own, counters stopped, known class"},
    {MSR_PERF_GLOBAL_STATUS, 1, RO_ROW, NULL, read_only_status, "read-only status: 0 or as read, proven classes"},
    {MSR_PERF_GLOBAL_INUSE, 1, RO_ROW, NULL, read_only_inuse, "read-only in-use: 0 or as read, proven classes"},
    {MSR_PERF_CAPABILITIES, 1, RO_ROW, NULL, read_only_capabilities,
     "read-only capabilities: 0 or as read, proven classes"},
    {MSR_BIOS_SIGN_ID, 1, GATE_IDENTITY, NULL, microcode_sequence, "microcode revision: only 0, Intel family 6 or 15"},
    {MSR_X2APIC_REGISTER(APIC_LVT_PC), 1, GATE_HANDOFF, NULL, x2apic_lvtpc, "LVTPC: fixed or NMI delivery"},
    {MSR_X2APIC, MSR_X2APIC_LAST - MSR_X2APIC + 1, 0, NULL, x2apic_any, "local APIC registers: x2APIC mode"},
    {MSR_MCG_STATUS, 1, 0, NULL, only_zero, "machine-check status: only 0, by the #MC handler"},
    {MSR_PAT, 1, 0, NULL, pat, "PAT: defined memory types"},
    {MSR_EFER, 1, GATE_IDENTITY | GATE_CURRENT, NULL, efer, "EFER: NXE; SVME where SVM is under a hypervisor"},
    {MSR_VM_HSAVE_PA, 1, GATE_IDENTITY, NULL, hsave, "VM_HSAVE_PA: a page, SVM under a hypervisor"},
};

/* NetBurst has other registers at some of these numbers, and no other of the PMU's: its rows go first there. */
#define NETBURST_ROW (GATE_CAPS | GATE_HANDOFF)

static const struct gate_row netburst_rows[] = {
    {MSR_NETBURST_COUNTER(NETBURST_IQ_COUNTER(4)), NETBURST_SAMPLERS, NETBURST_ROW, netburst_counter_bits, NULL,
     "NetBurst counters: those that sample, their width"},
    {MSR_CCCR(NETBURST_IQ_COUNTER(4)), NETBURST_SAMPLERS, NETBURST_ROW | GATE_SAMPLING, cccr_bits, NULL,
     "CCCRs: of those counters, defined bits; while PEBS is enabled a DS area of our own"},
    {MSR_CRU_ESCR(0), MSR_RAT_ESCR(1) - MSR_CRU_ESCR(0) + 1, NETBURST_ROW, escr_bits, NULL,
     "ESCRs: CRU and RAT, defined bits"},
    {MSR_FIRM_ESCR(0), 2, NETBURST_ROW, escr_bits, NULL, "ESCRs: FIRM, defined bits"},
    {MSR_CRU_ESCR(2), 2, NETBURST_ROW, escr_bits, NULL, "ESCRs: CRU and RAT, defined bits"},
    {MSR_CRU_ESCR(4), 2, NETBURST_ROW, escr_bits, NULL, "ESCRs: CRU and RAT, defined bits"},
    {MSR_PEBS_ENABLE, 1, DS_ROW, netburst_pebs_enable_bits, NULL, "PEBS enable: defined bits, counters stopped"},
    {MSR_PEBS_MATRIX_VERT, 1, DS_ROW, matrix_bits, NULL, "PEBS matrix: defined bits, counters stopped"},
    {MSR_DS_AREA, 1, AREA_ROW, netburst_ds_area_bits, own_area, "DS area: none or our own, counters stopped"},
};

static bool holds(const struct gate_row *row, u32 msr)
{
    return msr >= row->first && msr - row->first < row->count;
}

static const struct gate_row *find_netburst(u32 msr)
{
    if (msr - MSR_NETBURST_COUNTER(0) > MSR_DS_AREA - MSR_NETBURST_COUNTER(0))
        return NULL;
    for_each_row (netburst_rows, row)
        if (holds(row, msr))
            return row;
    return NULL;
}

static const struct gate_row *find(const struct pmu_caps *caps, u32 msr)
{
    if (caps && cpu_class(caps) == CLASS_NETBURST && find_netburst(msr))
        return find_netburst(msr);
    for_each_row (rows, row)
        if (holds(row, msr))
            return row;
    return NULL;
}

unsigned gate_wants(u32 msr)
{
    const struct gate_row *row = find(NULL, msr), *netburst = find_netburst(msr);
    return (row ? row->wants : 0) | (netburst ? netburst->wants : 0);
}

/* NetBurst has no leaf 0AH, and registers that its class stands for. */
static bool pmu_known(const struct pmu_caps *caps, u32 msr)
{
    return caps && (caps->present || (cpu_class(caps) == CLASS_NETBURST && find_netburst(msr)));
}

static bool row_permits(const struct gate_row *row, const struct pmu_caps *caps, const struct gate_context *context,
                        u32 msr, u64 value)
{
    u64 bits = 0;
    if (row->bits && !row->bits(caps, msr - row->first, &bits))
        return false;
    if (row->wants & GATE_WALK && walk_permits(caps, context, value))
        return true;
    return (row->bits && !(value & ~bits)) || (row->value && row->value(caps, context, value));
}

bool gate_allows(const struct pmu_caps *caps, const struct gate_context *context, u32 msr, u64 value, const char **rule)
{
    const struct gate_row *row = find(caps, msr);
    *rule = row ? row->rule : "no row allows a write to this register";
    if (!row)
        return false;
    if (row->wants & GATE_CAPS && !pmu_known(caps, msr)) {
        *rule = "no PMU known on this CPU";
        return false;
    }
    if (row->wants & GATE_STOPPED && value && !context->counters_stopped)
        return false;
    bool handed_over = row->wants & GATE_HANDOFF && context->handoff_known && value == context->handoff;
    if (row->wants & GATE_SAMPLING && value && context->sampling && !context->own_area)
        return handed_over;
    return handed_over || row_permits(row, caps, context, msr, value);
}

u64 gate_bits(const struct pmu_caps *caps, u32 msr)
{
    const struct gate_row *row = find(caps, msr);
    u64 bits;
    return row && row->bits && pmu_known(caps, msr) && row->bits(caps, msr - row->first, &bits) ? bits : 0;
}
