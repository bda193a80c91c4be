/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/cpu/caps.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/per_cpu.h"
#include "kernel/firmware/acpi.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/msr.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/microcode.h"
#include "pmu/registers.h"

static PER_CPU struct pmu_caps known;

static struct cpuid_regs leaf(void *unused, u32 number, u32 sub)
{
    (void)unused;
    if (number != CAPS_LEAF_HYPERVISOR && !cpuid_has_leaf(number))
        return (struct cpuid_regs){0};
    return cpuid(number, sub);
}

/* Reads registers that all Intel CPUs have, if RDMSR does not fault, and those that CPUID or the model implies. */
static void read_registers(const struct pmu_caps *identity, struct caps_dump *dump)
{
    u64 value;
    dump->misc_enable_unread = !identity->intel || rdmsr_try(MSR_MISC_ENABLE, &dump->misc_enable) != NO_FAULT;
    if (!identity->intel)
        return;
    dump->perf_capabilities_unread =
        identity->pdcm && rdmsr_try(MSR_PERF_CAPABILITIES, &dump->perf_capabilities) != NO_FAULT;
    dump->microcode = microcode_revision();
    if (identity->tsx_takes_pmc3 && rdmsr_try(MSR_TSX_FORCE_ABORT, &value) == NO_FAULT)
        dump->tsx_force_abort = value;
    if (identity->pt && rdmsr_try(MSR_RTIT_CTL, &value) == NO_FAULT) {
        dump->trace_answers = true;
        dump->tracing = value & RTIT_CTL_TRACE_EN;
    }
    if (!identity->hypervisor && class_metrics_fields(cpu_class(identity)))
        dump->metrics_answers = rdmsr_try(MSR_PERF_METRICS, &value) == NO_FAULT;
    dump->smi_count = class_has_smi_count(cpu_class(identity)) && rdmsr_try(MSR_SMI_COUNT, &value) == NO_FAULT;
}

static bool answers(u32 msr)
{
    u64 value;
    return rdmsr_try(msr, &value) == NO_FAULT;
}

/* Tests whether the counters that leaf 0AH does not enumerate answer, before anything relies on them. */
static u64 silent_counters(const struct pmu_caps *caps)
{
    u64 more = caps_counter_bits(caps) & ~caps->leaf0a_counters, silent = 0;
    for (unsigned n = 0; n < GP_COUNTERS_MAX; n++)
        if (more >> n & 1 && !(answers(MSR_PERFEVTSEL(n)) && answers(caps->full_width ? MSR_A_PMC(n) : MSR_PMC(n))))
            silent |= STATUS_GP(n);
    for (unsigned i = 0; i < FIXED_COUNTERS_MAX; i++)
        if (more >> (32 + i) & 1 && !answers(MSR_FIXED_CTR(i)))
            silent |= STATUS_FIXED(i);
    return silent;
}

static bool unlisted;

void caps_unlisted(bool model)
{
    unlisted = model;
}

/* CPUs that do not take part are threads of their cores all the same. */
static u8 siblings(u8 thread_bits)
{
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
    *dump = (struct caps_dump){0};
    caps_ask(dump, leaf, NULL);
    caps_decode(dump, caps);
    dump->siblings = siblings(caps->thread_bits);
    read_registers(caps, dump);
    caps_decode(dump, caps);
    dump->silent = silent_counters(caps);
    caps_decode(dump, caps);
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

void pmu_caps_counter_held(void)
{
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        of_cpu(known, cpu).counter_held = true;
}
