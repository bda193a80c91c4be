/*
 * The write gate's rows for the PMU: each register that this image may write, with the bits, the CPUs and the reason.
 * What no row names is refused. The rows of the processor's other registers are with the code that writes those.
 */
#include "kernel/cpu/apic.h"
#include "pmu/area/ds.h"
#include "pmu/area/pebs_record.h"
#include "pmu/area/tracing.h"
#include "pmu/cpu/apebs.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/lbr.h"
#include "pmu/cpu/pebs.h"
#include "pmu/cpu/second_names.h"
#include "pmu/gate/gate_row.h"
#include "pmu/gate/tested.h"
#include "pmu/registers.h"

/* ---- Which CPUs: what no number in a row can say. */

static bool has_any_thread(const struct pmu_caps *caps)
{
    return caps->version >= 3 && !caps->anythread_deprecated;
}

static bool has_pin_control(const struct pmu_caps *caps)
{
    return caps->version < 6;
}

static bool has_rtm(const struct pmu_caps *caps)
{
    return caps->rtm;
}

static bool hides_from_rdpmc(const struct pmu_caps *caps)
{
    return caps->leaf23_features & LEAF23_RDPMC_USER_DISABLE;
}

static bool has_pt(const struct pmu_caps *caps)
{
    return caps->pt;
}

static bool has_pdcm(const struct pmu_caps *caps)
{
    return caps->pdcm;
}

static bool has_full_width(const struct pmu_caps *caps)
{
    return caps->full_width;
}

static bool freezes_on_pmi(const struct pmu_caps *caps)
{
    return caps->pdcm && caps->version > 1;
}

static bool samples_values(const struct pmu_caps *caps)
{
    return pebs_format(caps) >= PEBS_FORMAT_VALUES;
}

static bool samples(const struct pmu_caps *caps)
{
    return pebs_counter_bits(caps) != 0;
}

static bool has_call_stack(const struct pmu_caps *caps)
{
    return class_lbr_call_stack(cpu_class(caps));
}

static bool has_top(const struct pmu_caps *caps)
{
    struct lbr_stack stack;
    return lbr_stack(caps, &stack) && stack.writable && !stack.architectural;
}

static bool has_architectural_records(const struct pmu_caps *caps)
{
    return caps->lbr_depths != 0;
}

static bool records_by_filter(const struct pmu_caps *caps)
{
    return caps->lbr_filters;
}

static bool records_calls(const struct pmu_caps *caps)
{
    return caps->lbr_call_stack;
}

static bool logs_events(const struct pmu_caps *caps)
{
    return caps->lbr_logged & 1;
}

static bool has_info(const struct pmu_caps *caps)
{
    struct lbr_stack stack;
    return lbr_stack(caps, &stack) && stack.info && !stack.architectural;
}

static bool cycles_in_to(const struct pmu_caps *caps)
{
    return (caps->perf_capabilities & PERF_CAP_LBR_FORMAT) == LBR_FORMAT_CYCLES;
}

static bool flags_in_from(const struct pmu_caps *caps)
{
    return !has_info(caps);
}

static bool matches_cr3(const struct pmu_caps *caps)
{
    return caps_can_trace(caps) && caps->trace_features & TRACE_CR3;
}

static u64 range_registers(const struct pmu_caps *caps)
{
    return caps_can_trace(caps) ? counter_mask(2 * caps->trace_ranges) : 0;
}

/* ---- Bits that follow from what is enumerated. */

static bool has_metrics(const struct pmu_caps *caps)
{
    return caps->metrics;
}

static u64 fixed_counters(const struct pmu_caps *caps)
{
    return caps->fixed_bitmap;
}

static u64 offcore_filters(const struct pmu_caps *caps)
{
    return counter_mask(offcore_rsps(caps));
}

static u64 record_numbers(const struct pmu_caps *caps)
{
    struct lbr_stack stack;
    return lbr_stack(caps, &stack) ? stack.depth - 1u : 0;
}

static u64 records(const struct pmu_caps *caps)
{
    struct lbr_stack stack;
    return lbr_stack(caps, &stack) ? counter_mask(stack.depth) : 0;
}

static u64 gp_values(const struct pmu_caps *caps)
{
    return counter_mask(caps->gp_width);
}

static u64 fixed_values(const struct pmu_caps *caps)
{
    return counter_mask(caps->fixed_width);
}

static u64 reload_causes(const struct pmu_caps *caps)
{
    return caps->reload_causes;
}

static u64 fixed_controls(const struct pmu_caps *caps)
{
    u64 bits = 0;
    for_each_fixed (caps, i)
        bits |= FIXED_FIELD(i) & ~FIXED_ANY(i);
    return bits;
}

static u64 fixed_any_thread(const struct pmu_caps *caps)
{
    u64 bits = 0;
    for (unsigned i = 0; i <= FIXED_REF_CYCLES; i++)
        if (caps->fixed_bitmap >> i & 1)
            bits |= FIXED_ANY(i);
    return bits;
}

static u64 fixed_adaptive(const struct pmu_caps *caps)
{
    u64 bits = 0;
    for_each_fixed (caps, i)
        bits |= FIXED_ADAPTIVE(i);
    return bits;
}

static u64 fixed_hidden(const struct pmu_caps *caps)
{
    u64 bits = 0;
    for_each_fixed (caps, i)
        bits |= FIXED_RDPMC_USER_DISABLE(i);
    return bits;
}

static u64 sampled_counters(const struct pmu_caps *caps)
{
    return caps_gp_bits(caps) << 32 | FIELD(55, 48, caps->fixed_bitmap);
}

/* ---- Situations, and values that are decided on as a whole. */

/* SDM 3B, "Setting Up the DS Save Area": the hardware writes to wherever this points. */
static bool own_area(const struct gate_context *context)
{
    return context->area_offered;
}

/* Not canonical: the hardware faults on it. */
static bool nowhere(u64 value)
{
    return value == DS_AREA_NOWHERE;
}

/* An address of 48 bits, sign-extended: whatever else is in a branch record is left alone. */
static bool canonical(u64 value)
{
    u64 upper = value & MASK(63, 47);
    return !upper || upper == MASK(63, 47);
}

/* Or one that is not: where the CPU takes it, it is taken back at once, and no code jumps to what a record holds. */
static bool canonical_or_not(u64 value)
{
    return canonical(value) || value == LBR_NOT_CANONICAL;
}

/* Or as an origin is recorded by CPUs that lose its sign. */
static bool origin(u64 value)
{
    return canonical_or_not(value) || value == LBR_SIGN_LOST;
}

/* SDM 3C, "Table of Physical Addresses (ToPA)": the hardware writes to wherever it leads, past all page tables. */
static bool own_trace(const struct gate_context *context)
{
    return context->trace_kept_in;
}

/* SDM 3B, "Architectural PEBS": likewise. */
static bool own_records(const struct gate_context *context)
{
    return context->records_kept_in;
}

static bool in_x2apic_mode(const struct gate_context *context)
{
    return context->x2apic;
}

static bool is_starting(const struct gate_context *context)
{
    return context->starting;
}

static u64 apic_mode(const struct gate_context *context)
{
    (void)context;
    return APIC_BASE_EN | APIC_BASE_EXTD;
}

/* SDM 4, "Architectural MSRs": since the first CPUs of family 6. */
static bool has_microcode(const struct gate_context *context)
{
    return context->intel && context->family >= 6;
}

static bool has_svm(const struct gate_context *context)
{
    return context->svm;
}

static u64 efer_changes(const struct gate_context *context)
{
    return EFER_NXE | (context->svm ? EFER_SVME : 0);
}

static bool lvtpc(u64 value)
{
    u64 delivery = value & LVT_DELIVERY_MASK;
    return delivery == LVT_DELIVERY_FIXED || delivery == LVT_DELIVERY_NMI;
}

#define PAT_TYPES 8

/* SDM 3A, "Page Attribute Table": types 2, 3 and those above 7 are reserved. */
static bool pat(u64 value)
{
    for (unsigned i = 0; i < PAT_TYPES; i++, value >>= 8)
        if ((value & 0xff) > 7 || (value & 0xff) == 2 || (value & 0xff) == 3)
            return false;
    return true;
}

/* ---- The list. */

#define PMU_ROW (GATE_CAPS | GATE_HANDOFF)
#define WALK_ROW (PMU_ROW | GATE_WALK)
#define DS_ROW (GATE_CAPS | GATE_HANDOFF | GATE_STOPPED)
#define RO_ROW (GATE_CAPS | GATE_CURRENT)
#define AREA_ROW (DS_ROW | GATE_AREA)

PMU_GATE(evtsel, MSR_PERFEVTSEL(0), GP_COUNTERS_MAX, "event selects: defined bits, enumerated counters",
         .wants = WALK_ROW, .enumerated = caps_gp_bits,
         .bits = {{.bits = EVTSEL_DEFINED},
                  {.bits = EVTSEL_ANY, .when = has_any_thread},
                  {.bits = EVTSEL_PC, .when = has_pin_control},
                  {.bits = EVTSEL_IN_TX, .when = has_rtm},
                  {.bits = EVTSEL_IN_TXCP, .when = has_rtm, .which = BIT(2)},
                  {.bits = EVTSEL_ADAPTIVE, .capability = PERF_CAP_PEBS_BASELINE},
                  {.bits = EVTSEL_BR_CNTR, .when = logs_events, .which = BIT(0)},
                  {.of = caps_evtsel_more}});
PMU_GATE(pmc, MSR_PMC(0), GP_COUNTERS_MAX, "GP counters: enumerated ones, their width", .wants = WALK_ROW,
         .enumerated = caps_gp_bits, .bits = {{.of = gp_values}});
PMU_GATE(a_pmc, MSR_A_PMC(0), GP_COUNTERS_MAX, "full-width GP counters: PERF_CAPABILITIES[13], width",
         .wants = WALK_ROW, .exists = has_full_width, .enumerated = caps_gp_bits, .bits = {{.of = gp_values}},
         .one_more = width_tested);
/* Version 6: four registers a counter from 1900H on. */
PMU_GATE(second_gp, MSR_PMC_GP_CTR(0), SECOND_NAMES, "GP counters by their second names: enumerated ones, as the first",
         .wants = PMU_ROW | GATE_RECORDS, .enumerated = second_names_gp, .where = own_records,
         .bits = {{.of = gp_values, .which = SECOND_CTR},
                  {.bits = EVTSEL_DEFINED, .which = SECOND_CFG_A},
                  {.of = caps_evtsel_more, .which = SECOND_CFG_A},
                  {.of = reload_causes, .which = SECOND_CFG_B},
                  {.of = cfg_b_refused, .which = SECOND_CFG_B},
                  {.bits = CFG_C_RELOAD, .which = SECOND_CFG_C},
                  {.of = apebs_config_bits, .which = SECOND_CFG_C, .only = second_names_gp_sampling}});
PMU_GATE(second_fixed, MSR_PMC_FX_CTR(0), SECOND_NAMES, "fixed counters by their second names, likewise",
         .wants = PMU_ROW | GATE_RECORDS, .enumerated = second_names_fixed, .where = own_records,
         .bits = {{.of = fixed_values, .which = SECOND_CTR},
                  {.of = reload_causes, .which = SECOND_CFG_B},
                  {.of = cfg_b_refused, .which = SECOND_CFG_B},
                  {.bits = CFG_C_RELOAD, .which = SECOND_CFG_C},
                  {.of = apebs_config_bits, .which = SECOND_CFG_C, .only = second_names_fixed_sampling}});
PMU_GATE(fixed_ctr, MSR_FIXED_CTR(0), FIXED_COUNTERS_MAX, "fixed counters: enumerated ones, their width",
         .wants = WALK_ROW, .enumerated = fixed_counters, .bits = {{.of = fixed_values}}, .one_more = width_tested);
PMU_GATE(fixed_ctr_ctrl, MSR_FIXED_CTR_CTRL, 1, "fixed control: defined bits, enumerated counters", .wants = WALK_ROW,
         .version = 2,
         .bits = {{.of = fixed_controls},
                  {.of = fixed_any_thread, .when = has_any_thread},
                  {.bits = FIXED_METRICS_CLEAR, .capability = PERF_CAP_RDPMC_METRICS_CLEAR},
                  {.of = fixed_adaptive, .when = pebs_adaptive},
                  {.of = fixed_hidden, .when = hides_from_rdpmc}});
PMU_GATE(global_ctrl, MSR_PERF_GLOBAL_CTRL, 1,
         "global control: enumerated counters; while PEBS is enabled a DS area of our own",
         .wants = WALK_ROW | GATE_SAMPLING, .version = 2,
         .bits = {{.of = caps_counter_bits}, {.bits = GLOBAL_METRICS, .when = has_metrics}});
/* IA32_PERF_GLOBAL_OVF_CTRL in versions 2 and 3, IA32_PERF_GLOBAL_STATUS_RESET from version 4. */
PMU_GATE(status_reset, MSR_PERF_GLOBAL_STATUS_RESET, 1, "status reset: defined status bits",
         .wants = GATE_CAPS | GATE_WALK, .version = 2,
         .bits = {{.bits = STATUS_OVF_BUFFER | STATUS_COND_CHGD, .of = caps_counter_bits},
                  {.bits = GLOBAL_METRICS, .when = has_metrics},
                  {.bits = STATUS_OVF_UNCORE, .version = 3},
                  {.bits = STATUS_ARCH_PEBS, .when = apebs_usable},
                  {.bits = STATUS_LBR_FRZ | STATUS_CTR_FRZ | STATUS_ASCI, .version = 4},
                  {.bits = STATUS_TRACE_TOPA_PMI, .when = has_pt}});
/* Below version 4 the same address is an uncore control of older client parts. */
PMU_GATE(status_set, MSR_PERF_GLOBAL_STATUS_SET, 1, "status set: version 4, defined status bits",
         .wants = GATE_CAPS | GATE_WALK, .version = 4,
         .bits = {{.bits = STATUS_OVF_BUFFER | STATUS_OVF_UNCORE | STATUS_LBR_FRZ | STATUS_CTR_FRZ | STATUS_ASCI,
                   .of = caps_counter_bits},
                  {.bits = GLOBAL_METRICS, .capability = PERF_CAP_METRICS},
                  {.bits = STATUS_TRACE_TOPA_PMI, .when = has_pt}});
/* A kernel that was here before may have set others: they stay as they are, or are cleared. */
PMU_GATE(debugctl, MSR_DEBUGCTL, 1, "DEBUGCTL: bits 0, 11, 12 and 14 where enumerated, others as they are",
         .wants = PMU_ROW | GATE_CURRENT, .exists = caps_has_debugctl, .others_as_read = true,
         .bits = {{.bits = DEBUGCTL_LBR},
                  {.bits = DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI, .when = freezes_on_pmi},
                  {.bits = DEBUGCTL_FREEZE_WHILE_SMM, .capability = PERF_CAP_FREEZE_WHILE_SMM}});
PMU_GATE(pebs_enable, MSR_PEBS_ENABLE, 1, "PEBS enable: sampling counters, stopped, known class", .wants = DS_ROW,
         .exists = samples, .bits = {{.of = pebs_counter_bits}, {.of = pebs_latency_bits}, {.of = pebs_store_bits}});
PMU_GATE(pebs_data_cfg, MSR_PEBS_DATA_CFG, 1, "PEBS data groups: adaptive PEBS, stopped", .wants = DS_ROW,
         .exists = pebs_adaptive,
         .bits = {{.bits = PEBS_DATA_MEMINFO | PEBS_DATA_GPR | PEBS_DATA_XMM | PEBS_DATA_LBR | MASK(31, 24)},
                  {.bits = PEBS_DATA_COUNTERS, .of = sampled_counters, .when = samples_values}});
PMU_GATE(pebs_base, MSR_PEBS_BASE, 1, "architectural PEBS: none or our own buffer, counters stopped",
         .wants = DS_ROW | GATE_RECORDS, .exists = apebs_usable, .where = own_records, .bits = {{.bits = ~0ull}});
PMU_GATE(pebs_index, MSR_PEBS_INDEX, 1, "architectural PEBS: offsets within our own buffer, defined bits, stopped",
         .wants = DS_ROW | GATE_RECORDS, .exists = apebs_usable, .where = own_records,
         .bits = {{.bits = PEBS_INDEX_WR | PEBS_INDEX_FULL | PEBS_INDEX_EN | PEBS_INDEX_THRESHOLD}});
PMU_GATE(pebs_ld_lat, MSR_PEBS_LD_LAT, 1, "load latency threshold: classes that sample by it", .wants = PMU_ROW,
         .exists = pebs_latency_exists, .bits = {{.bits = PEBS_LD_LAT_THRESHOLD}});
/* Its low four fields, which every CPU that enumerates it has: what the upper ones keep is not known. */
PMU_GATE(perf_metrics, MSR_PERF_METRICS, 1, "PERF_METRICS: PERF_CAPABILITIES[15] or known to be there, the first level",
         .wants = PMU_ROW, .exists = has_metrics, .bits = {{.bits = MASK(31, 0)}});
/* Filters of single events and of branch records: one bit that all of these classes have tells whether it is seen. */
PMU_GATE(offcore_rsp, MSR_OFFCORE_RSP(0), 2, "off-core response filter: data reads, known classes", .wants = PMU_ROW,
         .enumerated = offcore_filters, .bits = {{.bits = OFFCORE_RSP_DATA_READ}});
PMU_GATE(lbr_select, MSR_LBR_SELECT, 1, "LBR filter: defined bits, known classes", .wants = PMU_ROW,
         .exists = has_lbr_select,
         .bits = {{.bits = MASK(8, 0)}, {.bits = LBR_SELECT_CALL_STACK, .when = has_call_stack}});
PMU_GATE(lbr_tos, MSR_LBR_TOS, 1, "top of the branch records: one of them, known classes", .wants = PMU_ROW,
         .exists = has_top, .bits = {{.of = record_numbers}});
PMU_GATE(lbr_from, MSR_LBR_FROM(0), LBR_DEPTH_MAX, "branch records: canonical addresses, known classes",
         .wants = PMU_ROW, .exists = has_top, .enumerated = records,
         .bits = {{.bits = MASK(46, 0)}, {.bits = BIT(63), .when = flags_in_from}}, .value = origin);
PMU_GATE(lbr_to, MSR_LBR_TO(0), LBR_DEPTH_MAX, "branch records: canonical addresses, known classes", .wants = PMU_ROW,
         .exists = has_top, .enumerated = records, .bits = {{.bits = MASK(63, 48) | MASK(46, 0), .when = cycles_in_to}},
         .value = canonical_or_not);
PMU_GATE(lbr_info, MSR_LBR_INFO(0), LBR_DEPTH_MAX, "branch records: defined flags, record format 5", .wants = PMU_ROW,
         .exists = has_info, .enumerated = records,
         .bits = {{.bits = LBR_INFO_CYCLES | LBR_INFO_ABORT | LBR_INFO_IN_TX | LBR_INFO_MISPREDICTED}});
/* A depth that is not there faults, and nothing else happens: multiples of eight are asked. */
PMU_GATE(arch_lbr_ctl, MSR_ARCH_LBR_CTL, 1, "architectural branch records: what leaf 1CH names", .wants = PMU_ROW,
         .exists = has_architectural_records,
         .bits = {{.bits = LBR_CTL_EN | LBR_CTL_OS | LBR_CTL_USR},
                  {.bits = LBR_CTL_CALL_STACK, .when = records_calls},
                  {.bits = MASK(22, 16), .when = records_by_filter}});
PMU_GATE(arch_lbr_depth, MSR_ARCH_LBR_DEPTH, 1, "architectural branch records: depths", .wants = PMU_ROW,
         .exists = has_architectural_records, .bits = {{.bits = MASK(6, 3)}});
PMU_GATE(arch_lbr_info, MSR_ARCH_LBR_INFO(0), LBR_DEPTH_MAX, "architectural branch records: defined flags",
         .wants = PMU_ROW, .exists = has_architectural_records, .enumerated = records,
         .bits = {{.bits = LBR_INFO_CYCLES | LBR_INFO_COUNTS | LBR_INFO_TYPE | LBR_INFO_CYCLES_VALID | LBR_INFO_ABORT |
                           LBR_INFO_IN_TX | LBR_INFO_MISPREDICTED}});
PMU_GATE(arch_lbr_from, MSR_ARCH_LBR_FROM(0), LBR_DEPTH_MAX, "architectural branch records: canonical addresses",
         .wants = PMU_ROW, .exists = has_architectural_records, .enumerated = records, .value = canonical_or_not);
PMU_GATE(arch_lbr_to, MSR_ARCH_LBR_TO(0), LBR_DEPTH_MAX, "architectural branch records: canonical addresses",
         .wants = PMU_ROW, .exists = has_architectural_records, .enumerated = records, .value = canonical_or_not);
PMU_GATE(ds_area, MSR_DS_AREA, 1, "DS area: none, our own or not canonical, counters stopped, known class",
         .wants = AREA_ROW, .exists = ds_usable, .zero = true, .value = nowhere, .any = own_area);
#define TRACE_ROW (PMU_ROW | GATE_TRACE)
PMU_GATE(rtit_output, MSR_RTIT_OUTPUT_BASE, 2, "trace output: this CPU's own table and pages, nobody else's trace",
         .wants = TRACE_ROW, .exists = caps_can_trace, .where = own_trace, .bits = {{.bits = ~0ull}});
/* Bits that leaf 14H does not name are tried where reserved bits are known to fault; none of them with TraceEn. */
PMU_GATE(rtit_ctl, MSR_RTIT_CTL, 1, "trace control: enumerated bits; on only with this CPU's own table and pages",
         .wants = TRACE_ROW, .exists = caps_can_trace, .where = own_trace,
         .bits = {{.bits = RTIT_CTL_TRACE_EN, .of = trace_ctl_bits}, {.of = trace_ctl_absent, .when = walk_tested}});
PMU_GATE(rtit_status, MSR_RTIT_STATUS, 1, "trace status: error and stop", .wants = TRACE_ROW, .exists = caps_can_trace,
         .where = own_trace, .bits = {{.bits = RTIT_STATUS_ERROR | RTIT_STATUS_STOPPED}});
PMU_GATE(rtit_cr3, MSR_RTIT_CR3_MATCH, 1, "trace filter: the address of a page below 2^47", .wants = TRACE_ROW,
         .exists = matches_cr3, .where = own_trace, .bits = {{.bits = MASK(46, 12)}});
PMU_GATE(rtit_addr, MSR_RTIT_ADDR(0), 2 * RTIT_RANGES_MAX, "trace filter: canonical addresses, enumerated ranges",
         .wants = TRACE_ROW, .enumerated = range_registers, .where = own_trace, .value = canonical);
PMU_GATE(global_status, MSR_PERF_GLOBAL_STATUS, 1, "read-only status: 0 or as read, proven classes", .wants = RO_ROW,
         .version = 2, .as_read = read_only_tested);
PMU_GATE(global_inuse, MSR_PERF_GLOBAL_INUSE, 1, "read-only in-use: 0 or as read, proven classes", .wants = RO_ROW,
         .version = 4, .as_read = read_only_tested);
PMU_GATE(perf_capabilities, MSR_PERF_CAPABILITIES, 1, "read-only capabilities: 0 or as read, proven classes",
         .wants = RO_ROW, .exists = has_pdcm, .as_read = read_only_tested);
PMU_GATE(bios_sign_id, MSR_BIOS_SIGN_ID, 1, "microcode revision: only 0, Intel family 6 or later",
         .wants = GATE_IDENTITY, .where = has_microcode, .zero = true);

/* ---- What the runtime and the reference PMU write besides the PMU's own. */

#define X2APIC_LVTPC MSR_X2APIC_REGISTER(APIC_LVT_PC)
PMU_GATE(x2apic_below, MSR_X2APIC, X2APIC_LVTPC - MSR_X2APIC, "local APIC registers: x2APIC mode",
         .any = in_x2apic_mode);
PMU_GATE(x2apic_lvtpc, X2APIC_LVTPC, 1, "LVTPC: fixed or NMI delivery", .wants = GATE_HANDOFF, .where = in_x2apic_mode,
         .value = lvtpc);
PMU_GATE(x2apic_above, X2APIC_LVTPC + 1, MSR_X2APIC_LAST - X2APIC_LVTPC, "local APIC registers: x2APIC mode",
         .any = in_x2apic_mode);
PMU_GATE(apic_base, MSR_APIC_BASE, 1, "IA32_APIC_BASE: the mode, of a CPU that starts", .wants = GATE_CURRENT,
         .where = is_starting, .changes = apic_mode);
PMU_GATE(mcg_status, MSR_MCG_STATUS, 1, "machine-check status: only 0, by the #MC handler", .zero = true);
PMU_GATE(pat, MSR_PAT, 1, "PAT: defined memory types", .value = pat);
PMU_GATE(efer, MSR_EFER, 1, "EFER: NXE; SVME where SVM is under a hypervisor", .wants = GATE_IDENTITY | GATE_CURRENT,
         .changes = efer_changes);
PMU_GATE(vm_hsave_pa, MSR_VM_HSAVE_PA, 1, "VM_HSAVE_PA: a page, SVM under a hypervisor", .wants = GATE_IDENTITY,
         .where = has_svm, .bits = {{.bits = MASK(51, 12)}});

/*
 * ---- NetBurst. It has other registers at some of these numbers, and no other of the PMU's.
 * SDM 3B, "Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)".
 */

#define NETBURST_GATE(id, from, registers, text, ...) \
    PMU_GATE(netburst_##id, from, registers, text, .netburst = true, .exists = netburst_pebs_usable, __VA_ARGS__)
/* CRU_ESCR0 and 1, and RAT_ESCR0 and 1, of what lies from the first to the last. */
#define CRU_AND_RAT (MASK(1, 0) | MASK(MSR_RAT_ESCR(1) - MSR_CRU_ESCR(0), MSR_RAT_ESCR(0) - MSR_CRU_ESCR(0)))
#define ESCR_BITS MASK(30, 0)

NETBURST_GATE(counter, MSR_NETBURST_COUNTER(NETBURST_IQ_COUNTER(4)), NETBURST_SAMPLERS,
              "NetBurst counters: those that sample, their width", .wants = PMU_ROW, .bits = {{.bits = MASK(39, 0)}});
NETBURST_GATE(cccr, MSR_CCCR(NETBURST_IQ_COUNTER(4)), NETBURST_SAMPLERS,
              "CCCRs: of those counters, defined bits; while PEBS is enabled a DS area of our own",
              .wants = PMU_ROW | GATE_SAMPLING,
              .bits = {{.bits = CCCR_ENABLE | CCCR_ESCR_SELECT | CCCR_ACTIVE_THREAD | CCCR_COMPARE | CCCR_COMPLEMENT |
                                CCCR_THRESHOLD | CCCR_EDGE | CCCR_FORCE_OVF | CCCR_OVF_PMI_T0 | CCCR_OVF_PMI_T1 |
                                CCCR_OVF}});
NETBURST_GATE(escr_cru_rat, MSR_CRU_ESCR(0), MSR_RAT_ESCR(1) - MSR_CRU_ESCR(0) + 1, "ESCRs: CRU and RAT, defined bits",
              .wants = PMU_ROW, .which = CRU_AND_RAT, .bits = {{.bits = ESCR_BITS}});
NETBURST_GATE(escr_firm, MSR_FIRM_ESCR(0), 2, "ESCRs: FIRM, defined bits", .wants = PMU_ROW,
              .bits = {{.bits = ESCR_BITS}});
NETBURST_GATE(escr_cru2, MSR_CRU_ESCR(2), 2, "ESCRs: CRU and RAT, defined bits", .wants = PMU_ROW,
              .bits = {{.bits = ESCR_BITS}});
NETBURST_GATE(escr_cru4, MSR_CRU_ESCR(4), 2, "ESCRs: CRU and RAT, defined bits", .wants = PMU_ROW,
              .bits = {{.bits = ESCR_BITS}});
NETBURST_GATE(pebs_enable, MSR_PEBS_ENABLE, 1, "PEBS enable: defined bits, counters stopped", .wants = DS_ROW,
              .bits = {{.bits = PEBS_REPLAY_METRICS | PEBS_UOP_TAG | PEBS_MY_THREAD}});
NETBURST_GATE(matrix, MSR_PEBS_MATRIX_VERT, 1, "PEBS matrix: defined bits, counters stopped", .wants = DS_ROW,
              .bits = {{.bits = PEBS_MATRIX}});
NETBURST_GATE(ds_area, MSR_DS_AREA, 1, "DS area: none or our own, counters stopped", .wants = AREA_ROW, .zero = true,
              .any = own_area);
