/* SPDX-License-Identifier: BSD-2-Clause */
/* Which CPUs belong together. */
#include "harness/core/place.h"
#include "kernel/register/cpuid.h"
#include "kernel/text/text.h"
#include "pmu/cpu/caps.h"

static bool same_core(const struct pmu_caps *a, const struct pmu_caps *b)
{
    return caps_same_kind(a, b) && a->version == b->version && a->gp_count == b->gp_count &&
           a->gp_width == b->gp_width && a->fixed_bitmap == b->fixed_bitmap && a->fixed_width == b->fixed_width &&
           a->perf_capabilities == b->perf_capabilities;
}

u32 topology_group(u32 cpu)
{
    for (u32 first = 0; first < cpu; first++)
        if (same_core(pmu_caps_of(first), pmu_caps_of(cpu)))
            return first;
    return cpu;
}

/* Threads of a core: their APIC ids differ only in the low bits. SDM 3A, "Hierarchical Mapping of Shared Resources". */
u32 topology_core(u32 cpu)
{
    return cpu_apic_id(cpu) >> pmu_caps_of(cpu)->thread_bits;
}

static void read_leaf(u32 leaf, u32 subleaf, u32 value[4])
{
    struct cpuid_regs r = {0};
    if (cpuid_has_leaf(leaf))
        r = cpuid(leaf, subleaf);
    memcpy(value, (const u32[]){r.eax, r.ebx, r.ecx, r.edx}, 16);
}

/* A reference PMU shows leaves of its own, so the machine's were read before the first run. */
const struct place_bits *topology_bits(void)
{
    static struct place_leaves leaves;
    static struct place_bits bits;
    if (bits.leaf)
        return &bits;
    read_leaf(1, 0, leaves.leaf1);
    read_leaf(4, 0, leaves.leaf4);
    for (u32 n = 0; n < PLACE_LEVELS; n++) {
        read_leaf(0x0b, n, leaves.leaf0b[n]);
        read_leaf(0x1f, n, leaves.leaf1f[n]);
    }
    bits = place_bits(&leaves);
    return &bits;
}

struct place topology_place(u32 cpu)
{
    return place_of(topology_bits(), cpu_apic_id(cpu));
}

static bool first_of_core(const struct cpu_set *set, u32 cpu)
{
    for (u32 other = 0; other < cpu; other++)
        if (cpu_set_has(set, other) && topology_core(other) == topology_core(cpu))
            return false;
    return true;
}

static u32 lowest(const struct cpu_set *set)
{
    u32 cpu = 0;
    while (cpu < cpu_count() && !cpu_set_has(set, cpu))
        cpu++;
    return cpu;
}

bool scope_has(enum scope scope, const struct cpu_set *set, u32 cpu)
{
    switch (scope) {
    case ONCE:
        return cpu == lowest(set);
    case EACH_CORE:
        return first_of_core(set, cpu);
    default:
        return true;
    }
}
