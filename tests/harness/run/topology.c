#include "harness/run/topology.h"
#include "kernel/cpu/cpuid.h"
#include "pmu/caps.h"

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
    u32 threads = pmu_caps_of(cpu)->threads_per_core, shift = 0;
    while (threads > 1u << shift)
        shift++;
    return cpu_apic_id(cpu) >> shift;
}

/* CPUID leaf 0BH tells how many low bits of the APIC id number threads and all below the package; else leaf 1. */
#define LEVEL_THREAD 1
#define LEVELS_MOST 6

static void id_bits(u32 *thread, u32 *package)
{
    *thread = *package = 0;
    for (u32 level = 0; cpuid_has_leaf(0x0b) && level < LEVELS_MOST; level++) {
        struct cpuid_result r = cpuid(0x0b, level);
        if (!(r.ecx >> 8 & 0xff))
            return;
        *package = r.eax & 0x1f;
        *thread = (r.ecx >> 8 & 0xff) == LEVEL_THREAD ? *package : *thread;
    }
    for (u32 logical = cpuid(1, 0).ebx >> 16 & 0xff; !*package && logical > 1u << *thread;)
        ++*thread;
    *package = *package ? *package : *thread;
}

struct place topology_place(u32 cpu)
{
    u32 thread, package, id = cpu_apic_id(cpu);
    id_bits(&thread, &package);
    return (struct place){.socket = id >> package,
                          .core = (id & (u32)(BIT(package) - 1)) >> thread,
                          .thread = id & (u32)(BIT(thread) - 1)};
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
