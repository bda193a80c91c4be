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

DEFECT(version_without_counters, DATA(set_leaf_gp_count(m, 0)), "leaf 0AH gives a version and no GP counter",
       "Nehalem-EX under a hypervisor that filters the leaf");
DEFECT(width_below_32, DATA(m->p.leaf0a[0] = (m->p.leaf0a[0] & ~0xff0000u) | 31 << 16),
       "leaf 0AH gives GP counters of 31 bits", "class: a wrong fuse of the leaf");
DEFECT(fixed_width_below_32, DATA(m->p.leaf0a[3] = (m->p.leaf0a[3] & ~0x1fe0u) | 31 << 5),
       "leaf 0AH gives fixed counters of 31 bits (data)", "class: a wrong fuse of the leaf");
DEFECT(fixed_width_below_32_in_version_2, DATA(m->p.leaf0a[3] = 3 | 31 << 5),
       "leaf 0AH of version 2 gives three fixed counters of 31 bits (data)", "class: a wrong fuse of the leaf",
       MEANT_FOR("enum.leaf-0a"), ON("conroe"));
DEFECT(leaf_overstates, DATA(set_leaf_gp_count(m, leaf_gp_count(m) + 1)),
       "leaf 0AH enumerates one GP counter more than exists",
       "class: 4/8 counters by hyper-threading state, leaf not updated");
DEFECT(leaf_overstates_fixed, DATA(set_leaf_fixed_count(m, leaf_fixed_count(m) + 1)),
       "leaf 0AH enumerates one fixed counter more than exists",
       "vCPU dump of Rocket Lake with inconsistent ECX and EDX");
VARIATION(fixed_count_zero_in_leaf, DATA(set_leaf_fixed_count(m, 0)),
          "leaf 0AH EDX[4:0] is 0 although fixed counters exist", "Core 2 06F2 to 06F7 and 10661");
VARIATION(fixed_count_one_in_leaf, DATA(set_leaf_fixed_count(m, 1)),
          "leaf 0AH EDX[4:0] is 1 although three fixed counters exist", "Bonnell 106C2");
VARIATION(eight_counters, NO_RULE, "hyper-threading off: eight GP counters", "Sandy Bridge to Comet Lake",
          ALSO_ON("haswell", "broadwell"), PREPARED(deviation_without_threads));
VARIATION(eight_counters_of_two, DATA(deviation_without_threads(m); m->machine.threads_shown = 2),
          "hyper-threading off: eight GP counters, but CPUID still says two threads",
          "owners of an i9-12900 and an E5645", ALSO_ON("haswell", "broadwell"));
VARIATION(counters_beyond_leaf, DATA(set_gp_count(&m->p, 8)), "eight GP counters exist, four are enumerated",
          "Alder Lake P cores");

/* The events that this version adds do not exist. */
static void version_7(struct model *m)
{
    struct profile *p = &m->p;
    p->leaf0a[0] = (p->leaf0a[0] & 0xffff00u) | 16u << 24 | 7;
    p->leaf0a[1] |= 0xff80;
    p->leaf0a[2] = p->fixed_bitmap;
    p->leaf0a[3] |= (uint32_t)(BIT(19) | MASK(14, 13));
}
VARIATION(unknown_version, NO_RULE, "version 7, event vector of 16, reserved EDX bits set", "the next generation",
          PREPARED(version_7));
VARIATION(no_event_told, DATA(m->p.leaf0a[1] |= 0x7f),
          "leaf 0AH marks all seven events unavailable, but has a version and counters",
          "VMware without virtual counters", ON("core-duo"), ALSO_ON("skylake"));
DEFECT(leaf_missing, DATA(m->p.max_leaf = 9), "the highest CPUID leaf is 9, and no limit is set (data)",
       "class: a fuse of the leaf");

/* ---- One enumeration contradicts another. */

DEFECT(leaf_0a_empty, DATA(m->p.leaf0a[0] = m->p.leaf0a[1] = m->p.leaf0a[2] = m->p.leaf0a[3] = 0),
       "leaf 0AH is all zeros and leaf 23H names counters (data)", "hypervisors that filter the older leaf alone",
       ON("lunar-lake"), MEANT_FOR("enum.*"));
DEFECT(leaf_23_out_of_reach, DATA(m->p.max_leaf = 0x22),
       "CPUID.7.1:EAX[8] enumerates leaf 23H, but the highest leaf is 22H (data)",
       "hypervisors that lower the highest leaf", ON("lunar-lake"), MEANT_FOR("enum.*"));

static void no_depth(struct model *m)
{
    struct profile_leaf *row = leaf_row(&m->p, 0x1c, 0);
    if (row)
        row->value[0] &= ~0xffu;
}
DEFECT(leaf_1c_without_depth, NO_RULE,
       "CPUID.7.0:EDX[19] enumerates architectural branch records, but leaf 1CH no depth (data)",
       "hypervisors that filter the leaf", ON("sapphire-rapids"), MEANT_FOR("enum.*"), PREPARED(no_depth));

static void set_pebs_format(struct model *m, uint64_t format)
{
    m->p.perf_capabilities = (m->p.perf_capabilities & ~MASK(11, 8)) | format << 8;
}

DEFECT(baseline_without_groups, DATA(set_pebs_format(m, 3)),
       "PERF_CAPABILITIES[14] is 1 and the format of records is 3, which has no groups (data)",
       "class: a capability without the feature", ON("ice-lake"), MEANT_FOR("enum.*"));
DEFECT(timing_without_groups, DATA(m->p.perf_capabilities |= PERF_CAP_PEBS_TIMING),
       "PERF_CAPABILITIES[17] is 1 and records have no place for a retire latency (data)",
       "class: a capability without the feature", MEANT_FOR("enum.*"));
DEFECT(capabilities_silent, CHANGED(capabilities_readable, good, false),
       "CPUID.1:ECX[15] is 1 and RDMSR of IA32_PERF_CAPABILITIES faults", "hypervisors that pass the leaf through",
       MEANT_FOR("enum.*"));

/* ---- The last CPU differs from the rest, under the same name. */

static void last_has_one_gp_less(struct model *m)
{
    if (last_cpu(m))
        set_leaf_gp_count(m, leaf_gp_count(m) - 1);
}
DEFECT(one_cpu_differs, NO_RULE, "the last CPU enumerates one GP counter less, same signature and microcode",
       "class: per-core hyper-threading state in the leaf", PREPARED(last_has_one_gp_less));

static void last_lacks_event(struct model *m)
{
    if (last_cpu(m))
        m->p.leaf0a[1] |= (uint32_t)BIT(6);
}
DEFECT(one_cpu_differs_events, NO_RULE, "the last CPU says that event 6 is not available",
       "class of AAJ80, whose workaround firmware applies per CPU", PREPARED(last_lacks_event));

static void last_has_bitmap(struct model *m)
{
    if (last_cpu(m))
        m->p.leaf0a[2] = m->p.fixed_bitmap;
}
DEFECT(one_cpu_differs_bitmap, NO_RULE, "the last CPU's leaf 0AH names fixed counters in ECX",
       "Rocket Lake's inconsistent leaf", PREPARED(last_has_bitmap));

static void last_has_one_fixed_less(struct model *m)
{
    if (last_cpu(m))
        set_leaf_fixed_count(m, leaf_fixed_count(m) - 1);
}
DEFECT(one_cpu_differs_fixed, NO_RULE, "the last CPU enumerates one fixed counter less", "class",
       PREPARED(last_has_one_fixed_less));

static void last_lacks_capability(struct model *m)
{
    if (last_cpu(m))
        m->p.perf_capabilities &= ~PERF_CAP_FREEZE_WHILE_SMM;
}
DEFECT(one_cpu_differs_capabilities, NO_RULE, "the last CPU lacks PERF_CAPABILITIES[12]", "class of RPL18",
       PREPARED(last_lacks_capability));

enum { EAX, EBX };

/* Removes bits of a further leaf that the other CPUs have. */
static void last_lacks(struct model *m, uint32_t leaf, uint32_t subleaf, unsigned part, uint32_t bits)
{
    struct profile_leaf *row = leaf_row(&m->p, leaf, subleaf);
    if (row && last_cpu(m))
        row->value[part] &= ~bits;
}

DEFECT(one_cpu_differs_leaf_23, DATA(last_lacks(m, 0x23, 2, EAX, (uint32_t)BIT(2))),
       "the last CPU's leaf 23H names one counter less that can be reloaded", "class of one-cpu-differs",
       ON("clearwater-forest"));
DEFECT(one_cpu_differs_leaf_1c, DATA(last_lacks(m, 0x1c, 0, EBX, (uint32_t)BIT(2))),
       "the last CPU's leaf 1CH does not enumerate call-stack mode", "class of one-cpu-differs", ON("sapphire-rapids"));
DEFECT(one_cpu_differs_leaf_14, DATA(last_lacks(m, 0x14, 0, EBX, (uint32_t)BIT(0))),
       "the last CPU's leaf 14H does not enumerate the filter by CR3", "class of one-cpu-differs",
       ON("sapphire-rapids"));
VARIATION(microcode_differs, DATA(m->p.microcode -= last_cpu(m) ? 0x10 : 0), "the last CPU has an older microcode",
          "a load that failed");

static void last_core_alone(struct model *m)
{
    if (last_cpu(m))
        deviation_without_threads(m);
    m->machine.threads_shown = m->p.threads;
}
VARIATION(one_core_alone, NO_RULE, "all cores have two threads except the last CPU's, which has more counters",
          "hyper-threading off per core, a firmware option", PREPARED(last_core_alone));

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
VARIATION(three_core_types, NO_RULE, "three kinds of cores in turn, with other event-select bits",
          "Meteor Lake, Arrow Lake-H", PREPARED(three_core_types));

/* ---- Identity */

VARIATION(no_smi_count, DATA(m->p.smi_count = false), "MSR 34H faults", "Core 2, Bonnell, NetBurst");
VARIATION(hypervisor_bit, DATA(m->p.hypervisor = CPUID_BIT_MASK(CPUID_HYPERVISOR)), "CPUID.1:ECX[31] is set",
          "a virtual PMU: measured, never judged");
VARIATION(other_vendor, DATA(m->p.vendor = "  Shanghai  "), "the vendor is not Intel", "VIA and Zhaoxin have leaf 0AH");
VARIATION(perf_metrics_cap_zero, DATA(m->p.perf_capabilities &= ~PERF_CAP_METRICS),
          "PERF_CAPABILITIES[15] is 0 although PERF_METRICS exists", "RPL18; Alder Lake to Meteor Lake",
          ON("ice-lake"));
VARIATION(cpuid_limited, DATA(m->p.max_leaf = 3; m->p.stored[STORED_MISC_ENABLE].reset |= MISC_ENABLE_LIMIT_CPUID),
          "firmware limits the highest CPUID leaf to 3", "an option of older BIOSes");

/* ---- The register of capabilities */

DEFECT(capabilities_writable, INSTEAD(capabilities_writable, true, true), "WRMSR of IA32_PERF_CAPABILITIES is accepted",
       "hypervisors, for their own use", MEANT_FOR("enum.*"));
DEFECT(capabilities_take_zero, INSTEAD(capabilities_writable, !value, true),
       "WRMSR of 0 to IA32_PERF_CAPABILITIES is accepted", "class: a decoder that looks only at the bits that are set",
       MEANT_FOR("enum.*"));
HAZARD(hidden_answers, DATA(m->p.gp_count = m->p.version ? m->p.gp_count : 4),
       "a PMU that no leaf shows answers all the same", "hypervisors that hide it by CPUID alone", ON("prescott"));
VARIATION(counter_unnamed, DATA(m->p.gp_count += m->p.gp_count < GP_MAX),
          "one GP counter more than CPUID names answers", "hybrid CPUs, whose cores differ");
DEFECT(capabilities_bit_writable, INSTEAD(capabilities_writable, value == (m->p.perf_capabilities ^ BIT(13)), true),
       "WRMSR of IA32_PERF_CAPABILITIES that changes bit 13 alone is accepted", "hypervisors, for their own use",
       MEANT_FOR("enum.*"));
