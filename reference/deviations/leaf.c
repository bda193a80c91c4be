/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of what is enumerated: CPUID leaf 0AH, identity, kinds of cores. All of them change data only. */
#define CHAPTERS "enum.*,access.*,rdpmc.*"
#include "reference/deviations/stand_in.h"

static unsigned leaf_gp_count(const struct model *m)
{
    return FIELD_GET(m->p.leaf0a[0], 15, 8);
}

static void set_leaf_gp_count(struct model *m, unsigned count)
{
    m->p.leaf0a[0] = (m->p.leaf0a[0] & ~0xff00u) | count << 8;
}

static unsigned leaf_fixed_count(const struct model *m)
{
    return m->p.leaf0a[3] & 0x1f;
}

static void set_leaf_fixed_count(struct model *m, unsigned count)
{
    m->p.leaf0a[3] = (m->p.leaf0a[3] & ~0x1fu) | count;
}

/* Gives the PMU `count` GP counters, whatever the leaf says; never fewer than before. */
static void set_gp_count(struct profile *p, unsigned count)
{
    if (count <= p->gp_count)
        return;
    p->gp_count = (uint8_t)count;
    p->stored[STORED_GLOBAL_CTRL].faults &= ~width_mask(count);
    p->stored[STORED_GLOBAL_CTRL].reset |= width_mask(count);
    p->status_reset.faults &= ~width_mask(count);
    p->status_set.faults &= ~width_mask(count);
}

void deviation_without_threads(struct model *m)
{
    unsigned leaf = leaf_gp_count(m);
    m->p.threads = 1;
    set_gp_count(&m->p, m->p.gp_count_alone);
    set_leaf_gp_count(m, leaf > m->p.gp_count_alone ? leaf : m->p.gp_count_alone);
}

void deviation_with_threads(struct model *m)
{
    m->machine.threads_shown = m->p.threads;
}

/* ---- Leaf 0AH differs from what exists. */

static void no_counters(struct model *m)
{
    set_leaf_gp_count(m, 0);
}
DEFECT(VERSION_WITHOUT_COUNTERS, "version-without-counters", "leaf 0AH gives a version and no GP counter",
       "Nehalem-EX under a hypervisor that filters the leaf", DATA(no_counters));

static void width_31(struct model *m)
{
    m->p.leaf0a[0] = (m->p.leaf0a[0] & ~0xff0000u) | 31 << 16;
}
DEFECT(WIDTH_BELOW_32, "width-below-32", "leaf 0AH gives GP counters of 31 bits", "class: a wrong fuse of the leaf",
       DATA(width_31));

static void fixed_width_31(struct model *m)
{
    m->p.leaf0a[3] = (m->p.leaf0a[3] & ~0x1fe0u) | 31 << 5;
}
DEFECT(FIXED_WIDTH_BELOW_32, "fixed-width-below-32", "leaf 0AH gives fixed counters of 31 bits (data)",
       "class: a wrong fuse of the leaf", DATA(fixed_width_31));

static void one_gp_more(struct model *m)
{
    set_leaf_gp_count(m, leaf_gp_count(m) + 1);
}
DEFECT(LEAF_OVERSTATES, "leaf-overstates", "leaf 0AH enumerates one GP counter more than exists",
       "class: 4/8 counters by hyper-threading state, leaf not updated", DATA(one_gp_more));

static void one_fixed_more(struct model *m)
{
    set_leaf_fixed_count(m, leaf_fixed_count(m) + 1);
}
DEFECT(LEAF_OVERSTATES_FIXED, "leaf-overstates-fixed", "leaf 0AH enumerates one fixed counter more than exists",
       "vCPU dump of Rocket Lake with inconsistent ECX and EDX", DATA(one_fixed_more));

static void no_fixed(struct model *m)
{
    set_leaf_fixed_count(m, 0);
}
VARIATION(FIXED_COUNT_ZERO_IN_LEAF, "fixed-count-zero-in-leaf", "leaf 0AH EDX[4:0] is 0 although fixed counters exist",
          "Core 2 06F2 to 06F7 and 10661", DATA(no_fixed));

static void one_fixed(struct model *m)
{
    set_leaf_fixed_count(m, 1);
}
VARIATION(FIXED_COUNT_ONE_IN_LEAF, "fixed-count-one-in-leaf",
          "leaf 0AH EDX[4:0] is 1 although three fixed counters exist", "Bonnell 106C2", DATA(one_fixed));
VARIATION(EIGHT_COUNTERS, "eight-counters", "hyper-threading off: eight GP counters", "Sandy Bridge to Comet Lake",
          ALSO_ON("haswell", "broadwell"), DATA(deviation_without_threads));

static void eight_of_two(struct model *m)
{
    deviation_without_threads(m);
    m->machine.threads_shown = 2;
}
VARIATION(EIGHT_COUNTERS_OF_TWO, "eight-counters-of-two",
          "hyper-threading off: eight GP counters, but CPUID still says two threads",
          "owners of an i9-12900 and an E5645", ALSO_ON("haswell", "broadwell"), DATA(eight_of_two));

static void eight_exist(struct model *m)
{
    set_gp_count(&m->p, 8);
}
VARIATION(COUNTERS_BEYOND_LEAF, "counters-beyond-leaf", "eight GP counters exist, four are enumerated",
          "Alder Lake P cores", DATA(eight_exist));

/* The events that this version adds do not exist. */
static void version_7(struct model *m)
{
    struct profile *p = &m->p;
    p->leaf0a[0] = (p->leaf0a[0] & 0xffff00u) | 16u << 24 | 7;
    p->leaf0a[1] |= 0xff80;
    p->leaf0a[2] = p->fixed_bitmap;
    p->leaf0a[3] |= (uint32_t)(BIT(19) | MASK(14, 13));
}
VARIATION(UNKNOWN_VERSION, "unknown-version", "version 7, event vector of 16, reserved EDX bits set",
          "the next generation", DATA(version_7));

static void no_event_told(struct model *m)
{
    m->p.leaf0a[1] |= 0x7f;
}
VARIATION(NO_EVENT_TOLD, "no-event-told", "leaf 0AH marks all seven events unavailable, but has a version and counters",
          "VMware without virtual counters", ON("core-duo"), ALSO_ON("skylake"), DATA(no_event_told));

static void leaf_missing(struct model *m)
{
    m->p.max_leaf = 9;
}
DEFECT(LEAF_MISSING, "leaf-missing", "the highest CPUID leaf is 9, and no limit is set (data)",
       "class: a fuse of the leaf", DATA(leaf_missing));

/* ---- One enumeration contradicts another. */

static void no_version(struct model *m)
{
    m->p.leaf0a[0] = m->p.leaf0a[1] = m->p.leaf0a[2] = m->p.leaf0a[3] = 0;
}
DEFECT(LEAF_0A_EMPTY, "leaf-0a-empty", "leaf 0AH is all zeros and leaf 23H names counters (data)",
       "hypervisors that filter the older leaf alone", ON("lunar-lake"), MEANT_FOR("enum.*"), DATA(no_version));

static void leaf_23_above_highest(struct model *m)
{
    m->p.max_leaf = 0x22;
}
DEFECT(LEAF_23_OUT_OF_REACH, "leaf-23-out-of-reach",
       "CPUID.7.1:EAX[8] enumerates leaf 23H, but the highest leaf is 22H (data)",
       "hypervisors that lower the highest leaf", ON("lunar-lake"), MEANT_FOR("enum.*"), DATA(leaf_23_above_highest));

static void no_depth(struct model *m)
{
    struct profile_leaf *row = leaf_row(&m->p, 0x1c, 0);
    if (row)
        row->value[0] &= ~0xffu;
}
DEFECT(LEAF_1C_WITHOUT_DEPTH, "leaf-1c-without-depth",
       "CPUID.7.0:EDX[19] enumerates architectural branch records, but leaf 1CH no depth (data)",
       "hypervisors that filter the leaf", ON("sapphire-rapids"), MEANT_FOR("enum.*"), DATA(no_depth));

static void set_pebs_format(struct model *m, uint64_t format)
{
    m->p.perf_capabilities = (m->p.perf_capabilities & ~MASK(11, 8)) | format << 8;
}

static void baseline_of_format_3(struct model *m)
{
    set_pebs_format(m, 3);
}
DEFECT(BASELINE_WITHOUT_GROUPS, "baseline-without-groups",
       "PERF_CAPABILITIES[14] is 1 and the format of records is 3, which has no groups (data)",
       "class: a capability without the feature", ON("ice-lake"), MEANT_FOR("enum.*"), DATA(baseline_of_format_3));

static void timed_format_3(struct model *m)
{
    m->p.perf_capabilities |= PERF_CAP_PEBS_TIMING;
}
DEFECT(TIMING_WITHOUT_GROUPS, "timing-without-groups",
       "PERF_CAPABILITIES[17] is 1 and records have no place for a retire latency (data)",
       "class: a capability without the feature", MEANT_FOR("enum.*"), DATA(timed_format_3));

INSTEAD(capabilities_readable, capabilities_silent,
        below(CAPABILITIES_SILENT, capabilities_readable) && !strikes(m, CAPABILITIES_SILENT));
DEFECT(CAPABILITIES_SILENT, "capabilities-silent", "CPUID.1:ECX[15] is 1 and RDMSR of IA32_PERF_CAPABILITIES faults",
       "hypervisors that pass the leaf through", MEANT_FOR("enum.*"),
       STANDS_IN(FOR(capabilities_readable, capabilities_silent)));

/* ---- The last CPU differs from the rest, under the same name. */

static void last_has_one_gp_less(struct model *m)
{
    if (last_cpu(m))
        set_leaf_gp_count(m, leaf_gp_count(m) - 1);
}
DEFECT(ONE_CPU_DIFFERS, "one-cpu-differs", "the last CPU enumerates one GP counter less, same signature and microcode",
       "class: per-core hyper-threading state in the leaf", DATA(last_has_one_gp_less));

static void last_lacks_event(struct model *m)
{
    if (last_cpu(m))
        m->p.leaf0a[1] |= (uint32_t)BIT(6);
}
DEFECT(ONE_CPU_DIFFERS_EVENTS, "one-cpu-differs-events", "the last CPU says that event 6 is not available",
       "class of AAJ80, whose workaround firmware applies per CPU", DATA(last_lacks_event));

static void last_has_bitmap(struct model *m)
{
    if (last_cpu(m))
        m->p.leaf0a[2] = m->p.fixed_bitmap;
}
DEFECT(ONE_CPU_DIFFERS_BITMAP, "one-cpu-differs-bitmap", "the last CPU's leaf 0AH names fixed counters in ECX",
       "Rocket Lake's inconsistent leaf", DATA(last_has_bitmap));

static void last_has_one_fixed_less(struct model *m)
{
    if (last_cpu(m))
        set_leaf_fixed_count(m, leaf_fixed_count(m) - 1);
}
DEFECT(ONE_CPU_DIFFERS_FIXED, "one-cpu-differs-fixed", "the last CPU enumerates one fixed counter less", "class",
       DATA(last_has_one_fixed_less));

static void last_lacks_capability(struct model *m)
{
    if (last_cpu(m))
        m->p.perf_capabilities &= ~PERF_CAP_FREEZE_WHILE_SMM;
}
DEFECT(ONE_CPU_DIFFERS_CAPABILITIES, "one-cpu-differs-capabilities", "the last CPU lacks PERF_CAPABILITIES[12]",
       "class of RPL18", DATA(last_lacks_capability));

enum { EAX, EBX };

/* Removes bits of a further leaf that the other CPUs have. */
static void last_lacks(struct model *m, uint32_t leaf, uint32_t subleaf, unsigned part, uint32_t bits)
{
    struct profile_leaf *row = leaf_row(&m->p, leaf, subleaf);
    if (row && last_cpu(m))
        row->value[part] &= ~bits;
}

static void last_lacks_a_reload(struct model *m)
{
    last_lacks(m, 0x23, 2, EAX, (uint32_t)BIT(2));
}
DEFECT(ONE_CPU_DIFFERS_LEAF_23, "one-cpu-differs-leaf-23",
       "the last CPU's leaf 23H names one counter less that can be reloaded", "class of one-cpu-differs",
       ON("clearwater-forest"), DATA(last_lacks_a_reload));

static void last_lacks_the_call_stack(struct model *m)
{
    last_lacks(m, 0x1c, 0, EBX, (uint32_t)BIT(2));
}
DEFECT(ONE_CPU_DIFFERS_LEAF_1C, "one-cpu-differs-leaf-1c", "the last CPU's leaf 1CH does not enumerate call-stack mode",
       "class of one-cpu-differs", ON("sapphire-rapids"), DATA(last_lacks_the_call_stack));

static void last_lacks_a_trace_feature(struct model *m)
{
    last_lacks(m, 0x14, 0, EBX, (uint32_t)BIT(0));
}
DEFECT(ONE_CPU_DIFFERS_LEAF_14, "one-cpu-differs-leaf-14",
       "the last CPU's leaf 14H does not enumerate the filter by CR3", "class of one-cpu-differs",
       ON("sapphire-rapids"), DATA(last_lacks_a_trace_feature));

static void last_has_older_microcode(struct model *m)
{
    m->p.microcode -= last_cpu(m) ? 0x10 : 0;
}
VARIATION(MICROCODE_DIFFERS, "microcode-differs", "the last CPU has an older microcode", "a load that failed",
          DATA(last_has_older_microcode));

static void last_core_alone(struct model *m)
{
    if (last_cpu(m))
        deviation_without_threads(m);
    m->machine.threads_shown = m->p.threads;
}
VARIATION(ONE_CORE_ALONE, "one-core-alone", "all cores have two threads except the last CPU's, which has more counters",
          "hyper-threading off per core, a firmware option", DATA(last_core_alone));

/* ---- Kinds of cores */

static void set_leaf_1a(struct profile *p, uint32_t eax)
{
    struct profile_leaf *row = p->leaves;
    while (row < p->leaves + LEAVES_MAX - 1 && row->leaf && row->leaf != 0x1a)
        row++;
    *row = (struct profile_leaf){.leaf = 0x1a, .value = {eax}};
}

/* CPUs are performance, efficient and low-power cores in turn; the last two take fewer bits of an event select. */
static void three_core_types(struct model *m)
{
    static const uint32_t types[] = {0x40000001, 0x20000001, 0x20000002};
    struct profile *p = &m->p;
    uint32_t kind = m->cpu % ARRAY_SIZE(types);
    p->leaf7_edx |= (uint32_t)BIT(15);
    p->max_leaf = p->max_leaf < 0x1a ? 0x1a : p->max_leaf;
    set_leaf_1a(p, types[kind]);
    p->evtsel.faults |= kind ? EVTSEL_ANY : 0;
    if (kind == 2)
        p->evtsel.dropped |= EVTSEL_PC;
}
VARIATION(THREE_CORE_TYPES, "three-core-types", "three kinds of cores in turn, with other event-select bits",
          "Meteor Lake, Arrow Lake-H", DATA(three_core_types));

/* ---- Identity */

static void no_smi_count(struct model *m)
{
    m->p.smi_count = false;
}
VARIATION(NO_SMI_COUNT, "no-smi-count", "MSR 34H faults", "Core 2, Bonnell, NetBurst", DATA(no_smi_count));

static void hypervisor_bit(struct model *m)
{
    m->p.hypervisor = CPUID_BIT_MASK(CPUID_HYPERVISOR);
}
VARIATION(HYPERVISOR_BIT, "hypervisor-bit", "CPUID.1:ECX[31] is set", "a virtual PMU: measured, never judged",
          DATA(hypervisor_bit));

static void other_vendor(struct model *m)
{
    m->p.vendor = "  Shanghai  ";
}
VARIATION(OTHER_VENDOR, "other-vendor", "the vendor is not Intel", "VIA and Zhaoxin have leaf 0AH", DATA(other_vendor));

static void metrics_not_told(struct model *m)
{
    m->p.perf_capabilities &= ~PERF_CAP_METRICS;
}
VARIATION(PERF_METRICS_CAP_ZERO, "perf-metrics-cap-zero", "PERF_CAPABILITIES[15] is 0 although PERF_METRICS exists",
          "RPL18; Alder Lake to Meteor Lake", ON("ice-lake"), DATA(metrics_not_told));

static void cpuid_limited(struct model *m)
{
    m->p.max_leaf = 3;
    m->p.stored[STORED_MISC_ENABLE].reset |= MISC_ENABLE_LIMIT_CPUID;
}
VARIATION(CPUID_LIMITED, "cpuid-limited", "firmware limits the highest CPUID leaf to 3", "an option of older BIOSes",
          DATA(cpuid_limited));

/* ---- The register of capabilities */

INSTEAD(capabilities_writable, capabilities_taken,
        strikes(m, CAPABILITIES_WRITABLE) || below(CAPABILITIES_WRITABLE, capabilities_writable));
DEFECT(CAPABILITIES_WRITABLE, "capabilities-writable", "WRMSR of IA32_PERF_CAPABILITIES is accepted",
       "hypervisors, for their own use", MEANT_FOR("enum.*"),
       STANDS_IN(FOR(capabilities_writable, capabilities_taken)));

INSTEAD(capabilities_writable, zero_taken,
        (!value && strikes(m, CAPABILITIES_TAKE_ZERO)) || below(CAPABILITIES_TAKE_ZERO, capabilities_writable));
DEFECT(CAPABILITIES_TAKE_ZERO, "capabilities-take-zero", "WRMSR of 0 to IA32_PERF_CAPABILITIES is accepted",
       "class: a decoder that looks only at the bits that are set", MEANT_FOR("enum.*"),
       STANDS_IN(FOR(capabilities_writable, zero_taken)));
