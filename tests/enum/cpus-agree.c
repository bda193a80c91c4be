/*
 * CPUs of the same signature, kind of core, microcode and number of threads tell the same about their PMU: software
 * asks one of them and programs all. CPUs that differ in any of these may differ in their PMU as well (a firmware
 * option takes one thread off a core and gives the other its counters), so only like ones are compared.
 */
#include "harness/test.h"
#include "kernel/cpu/cpus.h"

static bool alike(const struct pmu_caps *a, const struct pmu_caps *b)
{
    return a->intel && b->intel && caps_same_kind(a, b) && a->microcode == b->microcode &&
           a->threads_per_core == b->threads_per_core;
}

/* The first CPU that is like this one. */
static const struct pmu_caps *first_alike(const struct pmu_caps *caps)
{
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (alike(pmu_caps_of(cpu), caps))
            return pmu_caps_of(cpu);
    return caps;
}

static void cpus_agree(struct test *t)
{
    const struct pmu_caps *mine = t->caps, *first = first_alike(mine);
    check_equal(t, "differs", mine->leaf0a.eax, first->leaf0a.eax, 0);
    check_equal(t, "differs", mine->leaf0a.ebx, first->leaf0a.ebx, 0);
    check_equal(t, "differs", mine->leaf0a.ecx, first->leaf0a.ecx, 0);
    check_equal(t, "differs", mine->leaf0a.edx, first->leaf0a.edx, 0);
    check_equal(t, "differs", mine->perf_capabilities, first->perf_capabilities, MSR_PERF_CAPABILITIES);
}

TEST("enum.cpus-agree", .title = "CPUs of one kind tell the same about their PMU",
     .spec = "SDM 3B, Architectural Performance Monitoring", .covers = "A-023,A-027,A-058",
     .needs = {.version = 1, .cpus = 2}, .scope = EACH_CPU, .run = cpus_agree);
