#include "pmu/gate.h"
#include "pmu/class.h"
#include "pmu/pebs.h"
#include "pmu/registers.h"

#define LVT_DELIVERY MASK(10, 8)
#define LVT_DELIVERY_IS_NMI FIELD(10, 8, 4)
#define APIC_LVT_PC_OFFSET 0x340
#define PAT_TYPES 8

/* ---- Bits that may be set. False: register n of the row does not exist here. */

static bool evtsel_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    *bits = MASK(31, 0);
    if (caps->version < 3 || caps->anythread_deprecated)
        *bits &= ~EVTSEL_ANY;
    if (caps->version >= 6)
        *bits &= ~EVTSEL_PC;
    if (caps->rtm)
        *bits |= EVTSEL_IN_TX | (n == 2 ? EVTSEL_IN_TXCP : 0);
    if (caps->perf_capabilities & PERF_CAP_PEBS_BASELINE)
        *bits |= EVTSEL_ADAPTIVE;
    return n < caps->gp_count;
}

static bool pmc_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    *bits = counter_mask(caps->gp_width);
    return n < caps->gp_count;
}

static bool a_pmc_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    return pmc_bits(caps, n, bits) && caps->full_width;
}

static bool fixed_exists(const struct pmu_caps *caps, unsigned i)
{
    return caps->fixed_bitmap >> i & 1;
}

static bool fixed_ctr_bits(const struct pmu_caps *caps, unsigned i, u64 *bits)
{
    *bits = counter_mask(caps->fixed_width);
    return fixed_exists(caps, i);
}

static bool fixed_control_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    (void)n;
    bool any = caps->version >= 3 && !caps->anythread_deprecated;
    *bits = 0;
    for (unsigned i = 0; i < FIXED_COUNTERS_MAX; i++)
        if (fixed_exists(caps, i))
            *bits |= FIXED_FIELD(i) & ~(any && i <= FIXED_REF_CYCLES ? 0 : FIXED_ANY(i));
    return caps->version >= 2;
}

static bool global_ctrl_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    (void)n;
    *bits = caps_counter_bits(caps);
    if (caps->perf_capabilities & PERF_CAP_METRICS)
        *bits |= GLOBAL_METRICS;
    return caps->version >= 2;
}

/* IA32_PERF_GLOBAL_OVF_CTRL in versions 2 and 3, IA32_PERF_GLOBAL_STATUS_RESET from version 4. */
static bool status_reset_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    bool exists = global_ctrl_bits(caps, n, bits);
    *bits |= STATUS_OVF_BUFFER | STATUS_COND_CHGD;
    if (caps->version >= 3)
        *bits |= STATUS_OVF_UNCORE;
    if (caps->version >= 4)
        *bits |= STATUS_LBR_FRZ | STATUS_CTR_FRZ | STATUS_ASCI;
    if (caps->pt)
        *bits |= STATUS_TRACE_TOPA_PMI;
    return exists;
}

/* Below version 4 the same address is an uncore control of older client parts. */
static bool status_set_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    bool exists = status_reset_bits(caps, n, bits);
    *bits &= ~STATUS_COND_CHGD;
    return exists && caps->version >= 4;
}

static bool debugctl_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    (void)n;
    *bits = DEBUGCTL_LBR;
    if (caps->pdcm && caps->version > 1)
        *bits |= DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI;
    if (caps->perf_capabilities & PERF_CAP_FREEZE_WHILE_SMM)
        *bits |= DEBUGCTL_FREEZE_WHILE_SMM;
    return caps->intel && caps->family == 6 && caps->present;
}

static bool pebs_enable_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    (void)n;
    *bits = pebs_counter_bits(caps);
    return *bits != 0;
}

/* No area of the image's own yet: only "none" may be set. */
static bool ds_area_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    (void)n;
    *bits = 0;
    return ds_usable(caps);
}

/* ---- Values that are decided on as a whole. */

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

static bool x2apic_any(const struct pmu_caps *caps, const struct gate_context *context, u64 value)
{
    (void)caps;
    (void)value;
    return context->x2apic;
}

static bool x2apic_lvtpc(const struct pmu_caps *caps, const struct gate_context *context, u64 value)
{
    u64 delivery = value & LVT_DELIVERY;
    return x2apic_any(caps, context, value) && (delivery == 0 || delivery == LVT_DELIVERY_IS_NMI);
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

/* ---- The list. The first row whose range holds the register decides. */

struct gate_row {
    u32 first, count;
    unsigned wants;
    bool (*bits)(const struct pmu_caps *caps, unsigned n, u64 *bits);
    bool (*value)(const struct pmu_caps *caps, const struct gate_context *context, u64 value);
    const char *rule;
};

#define PMU_ROW (GATE_CAPS | GATE_HANDOFF)
#define DS_ROW (GATE_CAPS | GATE_HANDOFF | GATE_STOPPED)
#define RO_ROW (GATE_CAPS | GATE_CURRENT)

static const struct gate_row rows[] = {
    {MSR_PERFEVTSEL(0), GP_COUNTERS_MAX, PMU_ROW, evtsel_bits, NULL,
     "event selects: defined bits, enumerated counters"},
    {MSR_PMC(0), GP_COUNTERS_MAX, PMU_ROW, pmc_bits, NULL, "GP counters: enumerated ones, their width"},
    {MSR_A_PMC(0), GP_COUNTERS_MAX, PMU_ROW, a_pmc_bits, NULL, "full-width GP counters: PERF_CAPABILITIES[13], width"},
    {MSR_FIXED_CTR(0), FIXED_COUNTERS_MAX, PMU_ROW, fixed_ctr_bits, NULL,
     "fixed counters: enumerated ones, their width"},
    {MSR_FIXED_CTR_CTRL, 1, PMU_ROW, fixed_control_bits, NULL, "fixed control: defined bits, enumerated counters"},
    {MSR_PERF_GLOBAL_CTRL, 1, PMU_ROW, global_ctrl_bits, NULL, "global control: enumerated counters"},
    {MSR_PERF_GLOBAL_STATUS_RESET, 1, GATE_CAPS, status_reset_bits, NULL, "status reset: defined status bits"},
    {MSR_PERF_GLOBAL_STATUS_SET, 1, GATE_CAPS, status_set_bits, NULL, "status set: version 4, defined status bits"},
    {MSR_DEBUGCTL, 1, PMU_ROW, debugctl_bits, NULL, "DEBUGCTL: bits 0, 11, 12 and 14 where enumerated"},
    {MSR_PEBS_ENABLE, 1, DS_ROW, pebs_enable_bits, NULL, "PEBS enable: sampling counters, stopped, known class"},
    {MSR_DS_AREA, 1, DS_ROW, ds_area_bits, NULL, "DS area: none, counters stopped, known class"},
    {MSR_PERF_GLOBAL_STATUS, 1, RO_ROW, NULL, read_only_status, "read-only status: 0 or as read, proven classes"},
    {MSR_PERF_GLOBAL_INUSE, 1, RO_ROW, NULL, read_only_inuse, "read-only in-use: 0 or as read, proven classes"},
    {MSR_PERF_CAPABILITIES, 1, RO_ROW, NULL, read_only_capabilities,
     "read-only capabilities: 0 or as read, proven classes"},
    {MSR_BIOS_SIGN_ID, 1, GATE_IDENTITY, NULL, microcode_sequence, "microcode revision: only 0, Intel family 6 or 15"},
    {MSR_X2APIC_REGISTER(APIC_LVT_PC_OFFSET), 1, GATE_HANDOFF, NULL, x2apic_lvtpc, "LVTPC: fixed or NMI delivery"},
    {MSR_X2APIC, MSR_X2APIC_LAST - MSR_X2APIC + 1, 0, NULL, x2apic_any, "local APIC registers: x2APIC mode"},
    {MSR_MCG_STATUS, 1, 0, NULL, only_zero, "machine-check status: only 0, by the #MC handler"},
    {MSR_PAT, 1, 0, NULL, pat, "PAT: defined memory types"},
    {MSR_EFER, 1, GATE_IDENTITY | GATE_CURRENT, NULL, efer, "EFER: NXE; SVME where SVM is under a hypervisor"},
    {MSR_VM_HSAVE_PA, 1, GATE_IDENTITY, NULL, hsave, "VM_HSAVE_PA: a page, SVM under a hypervisor"},
};

static const struct gate_row *find(u32 msr)
{
    for_each_row (rows, row)
        if (msr >= row->first && msr - row->first < row->count)
            return row;
    return NULL;
}

unsigned gate_wants(u32 msr)
{
    const struct gate_row *row = find(msr);
    return row ? row->wants : 0;
}

static bool row_permits(const struct gate_row *row, const struct pmu_caps *caps, const struct gate_context *context,
                        u32 msr, u64 value)
{
    if (row->value)
        return row->value(caps, context, value);
    u64 bits;
    return row->bits(caps, msr - row->first, &bits) && !(value & ~bits);
}

bool gate_allows(const struct pmu_caps *caps, const struct gate_context *context, u32 msr, u64 value, const char **rule)
{
    const struct gate_row *row = find(msr);
    *rule = row ? row->rule : "no row allows a write to this register";
    if (!row)
        return false;
    if (row->wants & GATE_CAPS && !(caps && caps->present)) {
        *rule = "no PMU known on this CPU";
        return false;
    }
    if (row->wants & GATE_STOPPED && value && !context->counters_stopped)
        return false;
    if (row_permits(row, caps, context, msr, value))
        return true;
    return row->wants & GATE_HANDOFF && context->handoff_known && value == context->handoff;
}

u64 gate_bits(const struct pmu_caps *caps, u32 msr)
{
    const struct gate_row *row = find(msr);
    u64 bits;
    return row && row->bits && caps->present && row->bits(caps, msr - row->first, &bits) ? bits : 0;
}
