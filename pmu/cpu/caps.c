/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/cpu/caps.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/per_cpu.h"
#include "kernel/firmware/acpi.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/msr.h"
#include "pmu/cpu/microcode.h"

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
