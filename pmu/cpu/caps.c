/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/cpu/caps.h"
#include "kernel/cpu/cpus.h"
#include "kernel/firmware/acpi.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/msr.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/microcode.h"
#include "pmu/registers.h"

/*
 * Signatures whose leaf 0AH states fewer fixed counters than exist. Early Core 2 states none, early Bonnell one; all of
 * them have three that work. SDM 3B, "Performance Monitoring (Processors Based on Intel Core Microarchitecture)".
 */
static const struct {
    u32 signature, mask;
    u8 fixed, width;
} understatements[] = {
    {0x006f0, 0x0fff0ff0, 3, 40}, /* Conroe, Merom: steppings before B report 0 */
    {0x10660, 0x0fff0ff0, 3, 40}, /* Merom-L */
    {0x106c0, 0x0fff0ff0, 3, 40}, /* Bonnell */
};

void caps_ask(struct caps_dump *dump, caps_leaf *leaf, void *context)
{
    dump->leaf0 = leaf(context, 0, 0);
    dump->leaf1 = leaf(context, 1, 0);
    if (cpuid_regs_have(&dump->leaf1, CPUID_HYPERVISOR))
        dump->leaf40000000 = leaf(context, CAPS_LEAF_HYPERVISOR, 0);
    dump->leaf4 = leaf(context, 4, 0);
    dump->leaf6 = leaf(context, 6, 0);
    dump->leaf7 = leaf(context, 7, 0);
    if (dump->leaf7.eax)
        dump->leaf7_1 = leaf(context, 7, 1);
    dump->leaf0a = leaf(context, 0x0a, 0);
    dump->leaf0b = leaf(context, 0x0b, 0);
    dump->leaf1a = leaf(context, 0x1a, 0);
    dump->leaf1f = leaf(context, 0x1f, 0);
    if (cpuid_regs_have(&dump->leaf7, CPUID_ARCH_LBR))
        dump->leaf1c = leaf(context, 0x1c, 0);
    if (cpuid_regs_have(&dump->leaf7, CPUID_PT))
        dump->leaf14 = leaf(context, 0x14, 0);
    if (dump->leaf14.eax)
        dump->leaf14_1 = leaf(context, 0x14, 1);
    dump->leaf23 = leaf(context, 0x23, 0);
    dump->leaf23_1 = leaf(context, 0x23, 1);
    dump->leaf23_2 = leaf(context, 0x23, 2);
    dump->leaf23_4 = leaf(context, 0x23, 4);
    dump->leaf23_5 = leaf(context, 0x23, 5);
    dump->leaf80000001 = leaf(context, 0x80000001, 0);
}

/* SDM 2A, "CPUID": the extended fields count only for families 6 and 15. */
static void decode_signature(u32 signature, struct pmu_caps *caps)
{
    u32 family = (u32)FIELD_GET(signature, 11, 8), model = (u32)FIELD_GET(signature, 7, 4);
    if (family == 6 || family == 15)
        model |= (u32)FIELD_GET(signature, 19, 16) << 4;
    if (family == 15)
        family += (u32)FIELD_GET(signature, 27, 20);
    caps->signature = signature;
    caps->family = family;
    caps->model = model;
    caps->stepping = signature & 15;
}

#define HTT BIT(28) /* leaf 1 EDX: its EBX[23:16] is valid */

#define LEVEL_THREAD 1 /* leaves 0BH and 1FH, ECX[15:8] */

static bool numbers_threads(const struct cpuid_regs *leaf)
{
    return leaf->ebx && FIELD_GET(leaf->ecx, 15, 8) == LEVEL_THREAD;
}

/* SDM 3A, "Hierarchical Mapping of Shared Resources": before leaf 0BH, a package's APIC ids divided by its cores'. */
static u8 threads_by_room(const struct caps_dump *dump)
{
    u64 ids = dump->leaf1.edx & HTT ? FIELD_GET(dump->leaf1.ebx, 23, 16) : 1;
    if (dump->leaf0.eax < 4)
        return dump->misc_enable & MISC_ENABLE_LIMIT_CPUID ? 0 : (u8)ids; /* a single core */
    return dump->leaf4.eax ? (u8)(ids / (FIELD_GET(dump->leaf4.eax, 31, 26) + 1)) : 0;
}

/*
 * SDM 2A, "CPUID", leaves 0BH and 1FH: EAX[4:0] says which bits of the APIC id number the threads. Their count in
 * EBX[15:0] is for display only: with hyper-threading off in the firmware some CPUs still state two there.
 */
static void decode_threads(const struct caps_dump *dump, struct pmu_caps *caps)
{
    const struct cpuid_regs *leaf = numbers_threads(&dump->leaf1f) ? &dump->leaf1f : &dump->leaf0b;
    caps->thread_bits = 0;
    if (numbers_threads(leaf)) {
        caps->thread_bits = (u8)FIELD_GET(leaf->eax, 4, 0);
        caps->threads_per_core = dump->siblings ? dump->siblings : (u8)BIT(caps->thread_bits & 7);
        return;
    }
    caps->threads_per_core = threads_by_room(dump);
    while (caps->threads_per_core > 1u << caps->thread_bits)
        caps->thread_bits++;
}

/* CPUID.1CH. */
static void decode_lbr(const struct cpuid_regs *leaf, struct pmu_caps *caps)
{
    caps->lbr_depths = (u8)leaf->eax;
    caps->lbr_levels = cpuid_regs_have(leaf, CPUID_LBR_LEVELS);
    caps->lbr_filters = cpuid_regs_have(leaf, CPUID_LBR_KINDS);
    caps->lbr_call_stack = cpuid_regs_have(leaf, CPUID_LBR_CALL_STACK);
    caps->lbr_types = cpuid_regs_have(leaf, CPUID_LBR_TYPES);
    caps->lbr_logged = (u8)FIELD_GET(leaf->ecx, 19, 16);
}

/* CPUID.14H, if the trace's registers can be read. */
static void decode_trace(const struct caps_dump *dump, struct pmu_caps *caps)
{
    if (!dump->trace_answers)
        return;
    caps->trace_features = dump->leaf14.ebx;
    caps->trace_outputs = dump->leaf14.ecx;
    struct cpuid_regs more = dump->leaf14.eax ? dump->leaf14_1 : (struct cpuid_regs){0};
    caps->trace_ranges = more.eax & 7;
    caps->trace_periods = (u16)FIELD_GET(more.eax, 31, 16);
    caps->trace_thresholds = (u16)FIELD_GET(more.ebx, 15, 0);
    caps->trace_boundaries = (u16)FIELD_GET(more.ebx, 31, 16);
    caps->tracing = dump->tracing;
}

/* CPUID.40000000H: a convention of hypervisors in a range that Intel leaves to them. EBX, ECX, EDX spell a name. */
static void decode_hypervisor(const struct cpuid_regs *leaf, struct pmu_caps *caps)
{
    const u32 words[] = {leaf->ebx, leaf->ecx, leaf->edx};
    for (unsigned i = 0; caps->hypervisor && i < HYPERVISOR_NAME - 1; i++)
        caps->hypervisor_name[i] = (char)(words[i / 4] >> i % 4 * 8);
}

static void decode_identity(const struct caps_dump *dump, struct pmu_caps *caps)
{
    caps->intel = cpuid_is_intel(&dump->leaf0);
    caps->max_leaf = dump->leaf0.eax;
    caps->hypervisor = cpuid_regs_have(&dump->leaf1, CPUID_HYPERVISOR);
    decode_hypervisor(&dump->leaf40000000, caps);
    decode_signature(dump->leaf1.eax, caps);
    caps->microcode = dump->microcode;
    caps->core_type = (u8)FIELD_GET(dump->leaf1a.eax, 31, 24);
    caps->native_model = (u32)FIELD_GET(dump->leaf1a.eax, 23, 0);
    decode_threads(dump, caps);
    caps->leaf07 = dump->leaf7;
    caps->rtm = cpuid_regs_have(&dump->leaf7, CPUID_RTM);
    caps->tsx_takes_pmc3 = cpuid_regs_have(&dump->leaf7, CPUID_TSX_FORCE_ABORT) &&
                           !cpuid_regs_have(&dump->leaf7, CPUID_RTM_ALWAYS_ABORT) &&
                           !(dump->tsx_force_abort & TSX_FORCE_ABORT_RTM);
    caps->sgx = cpuid_regs_have(&dump->leaf7, CPUID_SGX);
    caps->pt = cpuid_regs_have(&dump->leaf7, CPUID_PT);
    if (caps->pt)
        decode_trace(dump, caps);
    if (cpuid_regs_have(&dump->leaf7, CPUID_ARCH_LBR))
        decode_lbr(&dump->leaf1c, caps);
    caps->ds = cpuid_regs_have(&dump->leaf1, CPUID_DS);
    caps->therm_status = caps->intel && cpuid_regs_have(&dump->leaf1, CPUID_ACPI);
    caps->package_therm_status = caps->intel && cpuid_regs_have(&dump->leaf6, CPUID_PACKAGE_THERMAL);
}

static u8 at_most(u64 value, u8 limit)
{
    return value < limit ? (u8)value : limit;
}

static void decode_leaf0a(const struct cpuid_regs *leaf, struct pmu_caps *caps)
{
    caps->leaf0a = *leaf;
    caps->version = (u8)FIELD_GET(leaf->eax, 7, 0);
    caps->present = caps->version != 0;
    if (!caps->present)
        return;
    caps->gp_bitmap = (u32)counter_mask(at_most(FIELD_GET(leaf->eax, 15, 8), GP_COUNTERS_MAX));
    caps->gp_width = at_most(FIELD_GET(leaf->eax, 23, 16), 64);
    caps->event_length = (u8)FIELD_GET(leaf->eax, 31, 24);
    caps->events_unavailable = leaf->ebx;
    if (caps->version < 2)
        return;
    caps->fixed_count = at_most(FIELD_GET(leaf->edx, 4, 0), FIXED_COUNTERS_MAX);
    caps->fixed_width = at_most(FIELD_GET(leaf->edx, 12, 5), 64);
    caps->anythread_deprecated = cpuid_regs_have(leaf, CPUID_ANYTHREAD_DEPRECATED);
}

static void mend_understatement(struct pmu_caps *caps)
{
    if (!caps->intel || caps->hypervisor || caps->version < 2)
        return;
    for_each_row (understatements, row) {
        if ((caps->signature & row->mask) != row->signature || caps->fixed_count >= row->fixed)
            continue;
        caps->fixed_count = row->fixed;
        caps->fixed_width = caps->fixed_width ? caps->fixed_width : row->width;
        caps->leaf_understates = true;
    }
}

/* FxCtr[i] exists if ECX[i] (version 5 and later) or EDX[4:0] > i. */
static void decode_fixed_bitmap(const struct cpuid_regs *leaf, struct pmu_caps *caps)
{
    u32 named = caps->version >= 5 ? leaf->ecx : 0;
    caps->fixed_bitmap = (named | (u32)counter_mask(caps->fixed_count)) & (u32)counter_mask(FIXED_COUNTERS_MAX);
    caps->leaf0a_counters = caps_counter_bits(caps);
}

/* SDM 2A, "CPUID": bits for the existence of leaf 23H and of its sub-leaves for counters, reload and sampling. */
#define LEAF23 0x23
#define LEAF7_1_EAX_LEAF23 BIT(8)
#define LEAF23_EAX_COUNTERS BIT(1)
#define LEAF23_EAX_RELOAD BIT(2)
#define LEAF23_EAX_SAMPLING MASK(5, 4)

/* SDM 4, "Architectural MSRs": counters with an IA32_PMC_GPn_CFG_B or FXm_CFG_B, the overflows that reload them. */
#define WITH_CFG_B (MASK(9, 2) | MASK(35, 32))

/* For the counters that are used. */
static void decode_reloads(const struct cpuid_regs *leaf, struct pmu_caps *caps)
{
    caps->reloads = ((u64)leaf->ebx << 32 | leaf->eax) & caps_counter_bits(caps) & WITH_CFG_B;
    caps->reload_causes = ((u64)leaf->edx << 32 | leaf->ecx) & caps_counter_bits(caps);
}

/* For the counters that are used. Either sub-leaf alone is of no use. */
static void decode_sampling(const struct caps_dump *dump, struct pmu_caps *caps)
{
    const struct cpuid_regs *leaf = &dump->leaf23_5;
    if ((dump->leaf23.eax & LEAF23_EAX_SAMPLING) != LEAF23_EAX_SAMPLING)
        return;
    caps->pebs_groups = dump->leaf23_4.ebx;
    caps->pebs_counters = ((u64)leaf->ecx << 32 | leaf->eax) & caps_counter_bits(caps);
    caps->pebs_precise = ((u64)leaf->edx << 32 | leaf->ebx) & caps->pebs_counters;
}

/* Adds the counters that only leaf 23H enumerates, if they answer. */
static void add_counters(struct pmu_caps *caps)
{
    u64 used = caps->leaf23_counters & ~caps->silent;
    caps->gp_bitmap |= (u32)used & (u32)counter_mask(GP_COUNTERS_MAX);
    caps->fixed_bitmap |= (u32)(used >> 32) & (u32)counter_mask(FIXED_COUNTERS_MAX);
}

/*
 * On a hybrid CPU leaf 0AH enumerates what all its kinds of core have, and leaf 23H adds what this kind has besides:
 * PMC8 and 9, the counter of slots, the Atom cores' three other topdown counters. A counter that leaf 23H does not
 * enumerate stays: leaf 0AH promises it. A CPU without PMC0, where all begins, has no counters.
 */
static void decode_leaf23(const struct caps_dump *dump, struct pmu_caps *caps)
{
    if (!(caps->gp_bitmap & 1) || dump->leaf0.eax < LEAF23 || !(dump->leaf7_1.eax & LEAF7_1_EAX_LEAF23) ||
        !(dump->leaf23.eax & LEAF23_EAX_COUNTERS))
        return;
    caps->leaf23_counters = (u64)dump->leaf23_1.ebx << 32 | dump->leaf23_1.eax;
    caps->leaf23_features = dump->leaf23.ebx;
    caps->silent = dump->silent & caps->leaf23_counters & ~caps->leaf0a_counters;
    if (caps_leaf23_used(caps))
        add_counters(caps);
    if (dump->leaf23.eax & LEAF23_EAX_RELOAD)
        decode_reloads(&dump->leaf23_2, caps);
    decode_sampling(dump, caps);
}

static void count_counters(struct pmu_caps *caps)
{
    for_each_gp (caps, n)
        caps->gp_count++;
    caps->fixed_count = (u8)__builtin_ctz(~caps->fixed_bitmap);
}

/*
 * IA32_PERF_CAPABILITIES[15] is 0 on hybrids, because their other cores have no PERF_METRICS. Drivers go by model
 * there; so does this, if the counter of slots is enumerated and the register can be read. Under a hypervisor the bit
 * decides.
 */
static bool has_metrics(const struct caps_dump *dump, const struct pmu_caps *caps)
{
    if (caps->perf_capabilities & PERF_CAP_METRICS)
        return true;
    return dump->metrics_answers && !caps->hypervisor && caps->fixed_bitmap & BIT(FIXED_TOPDOWN_SLOTS) &&
           class_metrics_fields(cpu_class(caps));
}

void caps_decode(const struct caps_dump *dump, struct pmu_caps *caps)
{
    *caps = (struct pmu_caps){.misc_enable = dump->misc_enable, .smi_count = dump->smi_count};
    decode_identity(dump, caps);
    decode_leaf0a(&dump->leaf0a, caps);
    mend_understatement(caps);
    decode_fixed_bitmap(&dump->leaf0a, caps);
    decode_leaf23(dump, caps);
    count_counters(caps);
    caps->pdcm = cpuid_regs_have(&dump->leaf1, CPUID_PDCM);
    caps->perf_capabilities = caps->pdcm ? dump->perf_capabilities : 0;
    caps->full_width = caps->perf_capabilities & PERF_CAP_FULL_WIDTH;
    caps->metrics = has_metrics(dump, caps);
    caps->perf_capabilities_unread = caps->pdcm && dump->perf_capabilities_unread;
    caps->misc_enable_unread = dump->misc_enable_unread;
    caps->perfmon_available = dump->misc_enable & MISC_ENABLE_PERFMON;
    caps->pebs_unavailable = dump->misc_enable & MISC_ENABLE_PEBS_UNAVAILABLE;
    caps->cpuid_limited = dump->leaf0.eax < 0x0a && (dump->misc_enable & MISC_ENABLE_LIMIT_CPUID);
}

/* ---- Asking a CPU */

static bool reads(const struct caps_asker *asker, u32 msr, u64 *value)
{
    return asker->msr(asker->context, msr, value);
}

/* Reads registers that all Intel CPUs have, if RDMSR does not fault, and those that CPUID or the model implies. */
static void read_registers(const struct caps_asker *asker, const struct pmu_caps *identity, struct caps_dump *dump)
{
    u64 value;
    dump->misc_enable_unread = !identity->intel || !reads(asker, MSR_MISC_ENABLE, &dump->misc_enable);
    if (!identity->intel)
        return;
    dump->perf_capabilities_unread = identity->pdcm && !reads(asker, MSR_PERF_CAPABILITIES, &dump->perf_capabilities);
    dump->microcode = asker->microcode(asker->context);
    if (identity->tsx_takes_pmc3 && reads(asker, MSR_TSX_FORCE_ABORT, &value))
        dump->tsx_force_abort = value;
    if (identity->pt && reads(asker, MSR_RTIT_CTL, &value)) {
        dump->trace_answers = true;
        dump->tracing = value & RTIT_CTL_TRACE_EN;
    }
    if (!identity->hypervisor && class_metrics_fields(cpu_class(identity)))
        dump->metrics_answers = reads(asker, MSR_PERF_METRICS, &value);
    dump->smi_count = class_has_smi_count(cpu_class(identity)) && reads(asker, MSR_SMI_COUNT, &value);
}

/* Tests whether the counters that leaf 0AH does not enumerate answer, before anything relies on them. */
static u64 silent_counters(const struct caps_asker *asker, const struct pmu_caps *caps)
{
    u64 more = caps_counter_bits(caps) & ~caps->leaf0a_counters, silent = 0, value;
    for (unsigned n = 0; n < GP_COUNTERS_MAX; n++)
        if (more >> n & 1 && !(reads(asker, MSR_PERFEVTSEL(n), &value) &&
                               reads(asker, caps->full_width ? MSR_A_PMC(n) : MSR_PMC(n), &value)))
            silent |= STATUS_GP(n);
    for (unsigned i = 0; i < FIXED_COUNTERS_MAX; i++)
        if (more >> (32 + i) & 1 && !reads(asker, MSR_FIXED_CTR(i), &value))
            silent |= STATUS_FIXED(i);
    return silent;
}

void caps_read_by(const struct caps_asker *asker, struct caps_dump *dump, struct pmu_caps *caps)
{
    *dump = (struct caps_dump){0};
    caps_ask(dump, asker->leaf, asker->context);
    caps_decode(dump, caps);
    dump->siblings = asker->siblings(asker->context, caps->thread_bits);
    read_registers(asker, caps, dump);
    caps_decode(dump, caps);
    dump->silent = silent_counters(asker, caps);
    caps_decode(dump, caps);
}

bool caps_event_available(const struct pmu_caps *caps, unsigned index)
{
    return caps->present && index < caps->event_length && index < 32 && !(caps->events_unavailable >> index & 1);
}

bool caps_no_event(const struct pmu_caps *caps)
{
    for (unsigned index = 0; index < caps->event_length; index++)
        if (caps_event_available(caps, index))
            return false;
    return caps->event_length; /* a leaf with no event bits says nothing about events */
}

const char *caps_no_capabilities(const struct pmu_caps *caps)
{
    if (!caps->pdcm)
        return "CPUID.1:ECX[15]=0: no IA32_PERF_CAPABILITIES";
    return caps->perf_capabilities_unread ? "IA32_PERF_CAPABILITIES was not read: RDMSR faults" : NULL;
}

/* SDM 4, "Architectural MSRs". NetBurst has a different register at this number. */
bool caps_has_debugctl(const struct pmu_caps *caps)
{
    return caps->intel && caps->present && caps->family != 15;
}

bool caps_same_kind(const struct pmu_caps *a, const struct pmu_caps *b)
{
    return a->signature == b->signature && a->core_type == b->core_type && a->native_model == b->native_model;
}

bool caps_leaf23_used(const struct pmu_caps *caps)
{
    return caps->leaf23_counters && class_has_leaf23(cpu_class(caps));
}

bool caps_can_trace(const struct pmu_caps *caps)
{
    return caps->trace_outputs & TRACE_TO_TABLE && !caps->tracing;
}

u64 caps_evtsel_more(const struct pmu_caps *caps)
{
    return (caps->leaf23_features & LEAF23_UMASK2 ? EVTSEL_UMASK2(0xff) : 0) |
           (caps->leaf23_features & LEAF23_EQ ? EVTSEL_EQ : 0) |
           (caps->leaf23_features & LEAF23_RDPMC_USER_DISABLE ? EVTSEL_RDPMC_USER_DISABLE : 0);
}

unsigned caps_gp_index(const struct pmu_caps *caps, unsigned n)
{
    u32 left = caps->gp_bitmap;
    while (n--)
        left &= left - 1;
    return left ? (unsigned)__builtin_ctz(left) : 0;
}

u64 counter_mask(unsigned width)
{
    return width ? MASK((width < 64 ? width : 64) - 1, 0) : 0;
}

u64 caps_gp_bits(const struct pmu_caps *caps)
{
    return caps->gp_bitmap;
}

u64 caps_counter_bits(const struct pmu_caps *caps)
{
    return caps_gp_bits(caps) | (u64)caps->fixed_bitmap << 32;
}

static PER_CPU struct pmu_caps known;

static struct cpuid_regs leaf(void *unused, u32 number, u32 sub)
{
    (void)unused;
    if (number != CAPS_LEAF_HYPERVISOR && !cpuid_has_leaf(number))
        return (struct cpuid_regs){0};
    return cpuid(number, sub);
}

static bool register_value(void *unused, u32 msr, u64 *value)
{
    (void)unused;
    return rdmsr_try(msr, value) == NO_FAULT;
}

static u32 microcode(void *unused)
{
    (void)unused;
    return microcode_revision();
}

static bool unlisted;

void caps_unlisted(bool model)
{
    unlisted = model;
}

/* CPUs that do not take part are threads of their cores all the same. */
static u8 siblings(void *unused, u8 thread_bits)
{
    (void)unused;
    if (unlisted)
        return 0;
    const struct acpi_info *firmware = acpi();
    u32 core = cpu_apic_id(cpu_index()) >> thread_bits;
    u8 count = 0;
    for (unsigned i = 0; i < firmware->cpus; i++)
        count += firmware->cpu[i].enabled && firmware->cpu[i].apic_id >> thread_bits == core && count < UINT8_MAX;
    return count;
}

void caps_read(struct caps_dump *dump, struct pmu_caps *caps)
{
    static const struct caps_asker own = {NULL, leaf, register_value, microcode, siblings};
    caps_read_by(&own, dump, caps);
}

const struct pmu_caps *pmu_caps(void)
{
    return &of_cpu(known, cpu_index());
}

const struct pmu_caps *pmu_caps_of(u32 cpu)
{
    return &of_cpu(known, cpu);
}

void pmu_caps_keep(const struct pmu_caps *caps)
{
    of_cpu(known, cpu_index()) = *caps;
}

void pmu_caps_forget(void)
{
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        of_cpu(known, cpu) = (struct pmu_caps){0};
}

void pmu_caps_guest(const struct guest_facts *guest)
{
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        of_cpu(known, cpu).guest = *guest;
}
