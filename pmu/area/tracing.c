/* SPDX-License-Identifier: BSD-2-Clause */
/* What a CPU's processor trace can do, by CPUID leaf 14H. SDM 3C, "Intel Processor Trace". */
#include "kernel/text/text.h"
#include "pmu/area/trace_area.h"
#include "pmu/registers.h"

const char *trace_unavailable(const struct pmu_caps *caps, char text[TRACE_TEXT])
{
    if (!caps->pt)
        return "CPUID.7.0:EBX[25]=0: no processor trace";
    if (caps->tracing)
        return "IA32_RTIT_CTL[0]=1: other software uses it, and is left alone";
    if (caps->trace_outputs & TRACE_TO_TABLE)
        return NULL;
    format_text(text, TRACE_TEXT,
                "CPUID.14H.0:ECX=0x%x: no table of physical addresses, or IA32_RTIT_CTL cannot be read",
                caps->trace_outputs);
    return text;
}

unsigned trace_regions(const struct pmu_caps *caps)
{
    return caps->trace_outputs & TRACE_TO_REGIONS ? TRACE_REGIONS : 1;
}

/* SDM 3C, "IA32_RTIT_CTL MSR": single bits, and the CPUID bits that enumerate them. */
static const struct {
    u64 bits;
    u32 feature, output;
} controls[] = {
    {RTIT_CTL_OS | RTIT_CTL_USER | RTIT_CTL_TSC_EN | RTIT_CTL_DIS_RETC | RTIT_CTL_BRANCH_EN, 0, 0},
    {RTIT_CTL_CYC_EN, TRACE_CYCLES, 0},
    {RTIT_CTL_PWR_EVT_EN, TRACE_POWER, 0},
    {RTIT_CTL_FUP_ON_PTW | RTIT_CTL_PTW_EN, TRACE_PTWRITE, 0},
    {RTIT_CTL_FABRIC_EN, 0, TRACE_TO_FABRIC},
    {RTIT_CTL_CR3_FILTER, TRACE_CR3, 0},
    {RTIT_CTL_TOPA, 0, TRACE_TO_TABLE},
    {RTIT_CTL_MTC_EN, TRACE_MTC, 0},
    {RTIT_CTL_EVENT_EN, TRACE_EVENTS, 0},
    {RTIT_CTL_DIS_TNT, TRACE_NO_TNT, 0},
};

static u64 bits_of(const struct pmu_caps *caps, bool named)
{
    u64 bits = 0;
    for_each_row (controls, row) {
        bool has = (!row->feature || caps->trace_features & row->feature) &&
                   (!row->output || caps->trace_outputs & row->output);
        bits |= has == named ? row->bits : 0;
    }
    return bits;
}

/*
 * Skylake-X, Kaby Lake-X, Kaby Lake-G and Coffee Lake have been seen with the empty sub-leaf, while twins of the same
 * signature fill it: dumps of InstLatx64.
 */
bool trace_values_enumerated(const struct pmu_caps *caps)
{
    bool anything = caps->trace_ranges || caps->trace_periods || caps->trace_thresholds || caps->trace_boundaries;
    return anything || !(caps->trace_features & (TRACE_CYCLES | TRACE_RANGES | TRACE_MTC));
}

/* Without its field, the bit means a period or threshold of 0, which sub-leaf 1 must list. */
static u64 never_alone(const struct pmu_caps *caps)
{
    return (caps->trace_periods & 1 ? 0 : RTIT_CTL_MTC_EN) | (caps->trace_thresholds & 1 ? 0 : RTIT_CTL_CYC_EN);
}

u64 trace_ctl_bits(const struct pmu_caps *caps)
{
    return bits_of(caps, true) & ~never_alone(caps);
}

u64 trace_ctl_absent(const struct pmu_caps *caps)
{
    return bits_of(caps, false);
}

/* What IA32_RTIT_CTL.ADDRn_CFG may be: no use of the range, a filter, or an end of the trace. */
#define RANGE_USES MASK(2, 0)

unsigned trace_ctl_fields(const struct pmu_caps *caps, struct trace_field list[TRACE_FIELDS_MAX])
{
    bool cycles = caps->trace_features & TRACE_CYCLES, periods = caps->trace_features & TRACE_MTC;
    unsigned n = 0;
    list[n++] = (struct trace_field){RTIT_CTL_MTC_FREQ, periods ? caps->trace_periods : 0};
    list[n++] = (struct trace_field){RTIT_CTL_CYC_THRESH, cycles ? caps->trace_thresholds : 0};
    list[n++] = (struct trace_field){RTIT_CTL_PSB_FREQ, cycles ? caps->trace_boundaries : 0};
    for (unsigned range = 0; range < RTIT_RANGES_MAX; range++)
        list[n++] = (struct trace_field){RTIT_CTL_ADDR_CFG_OF(range), range < caps->trace_ranges ? RANGE_USES : 0};
    return n;
}

static u64 bits_of_fields(const struct pmu_caps *caps, bool named)
{
    struct trace_field list[TRACE_FIELDS_MAX];
    u64 bits = 0;
    for (unsigned n = trace_ctl_fields(caps, list); n--;)
        bits |= !list[n].values != named ? list[n].bits : 0;
    return bits;
}

u64 trace_field_bits(const struct pmu_caps *caps)
{
    return bits_of_fields(caps, true);
}

u64 trace_field_bits_absent(const struct pmu_caps *caps)
{
    return bits_of_fields(caps, false);
}

bool trace_pointers_inside(u64 pointers)
{
    return FIELD_GET(pointers, 31, 7) < TRACE_ENTRIES && pointers >> 32 <= TRACE_REGION_BYTES;
}

/* A region must be one of ours, as a whole; the remaining bits of the entry are not part of the address. */
bool trace_entry_inside(u64 table, u64 entry)
{
    u64 address = entry & TOPA_ADDRESS, first = table + TRACE_REGION_OFFSET;
    if (entry & MASK(63, 52))
        return false;
    if (entry & TOPA_END)
        return address == table;
    return !(entry & TOPA_SIZE) && address >= first && address < first + TRACE_REGIONS * TRACE_REGION_BYTES;
}

/* The bits with which a trace may be turned on: no filter, and no output except the table. */
#define TRACE_ON_BITS                                                                                           \
    (RTIT_CTL_TRACE_EN | RTIT_CTL_OS | RTIT_CTL_USER | RTIT_CTL_TOPA | RTIT_CTL_BRANCH_EN | RTIT_CTL_DIS_RETC | \
     RTIT_CTL_TSC_EN)

/* Does a trace with this IA32_RTIT_CTL, TraceEn included, go to the table and nowhere else, and without a filter? */
static bool trace_goes_to_table(const struct pmu_caps *caps, u64 control)
{
    return !(control & ~TRACE_ON_BITS) &&
           (control & RTIT_CTL_TOPA || !(caps->trace_outputs & (TRACE_TO_RANGE | TRACE_TO_FABRIC)));
}

bool trace_stays_inside(const struct pmu_caps *caps, u32 msr, const struct trace_registers *after, bool owned)
{
    if (msr == MSR_RTIT_OUTPUT_BASE)
        return !after->base || owned;
    if (msr == MSR_RTIT_OUTPUT_MASK_PTRS)
        return trace_pointers_inside(after->pointers);
    return msr != MSR_RTIT_CTL || !(after->control & RTIT_CTL_TRACE_EN) ||
           (trace_goes_to_table(caps, after->control) && owned && trace_pointers_inside(after->pointers));
}
