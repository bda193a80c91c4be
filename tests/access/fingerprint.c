/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One number for what becomes of each bit of one register of each kind: equal CPUs have equal numbers, so a CPU that
 * differs from its neighbours, or from an earlier log, is found at a glance. Bits that change by themselves are left
 * out.
 *
 * CPUs that identify and enumerate themselves alike must agree.
 */
#include "harness/test.h"

static u32 fingerprints[MAX_CPUS];

static const u32 registers[] = {
    MSR_PERFEVTSEL(0),
    MSR_PMC(0),
    MSR_A_PMC(0),
    MSR_FIXED_CTR(0),
    MSR_FIXED_CTR_CTRL,
    MSR_PERF_GLOBAL_CTRL,
    MSR_PERF_GLOBAL_STATUS_RESET,
    MSR_DEBUGCTL,
};

static bool alike(const struct pmu_caps *a, const struct pmu_caps *b)
{
    return caps_same_kind(a, b) && a->microcode == b->microcode && a->threads_per_core == b->threads_per_core &&
           a->gp_count == b->gp_count && a->fixed_bitmap == b->fixed_bitmap &&
           a->perf_capabilities == b->perf_capabilities;
}

/* The lowest-numbered CPU that took part and is of the same kind as this one. */
static u32 first_alike(const struct test *t)
{
    for (u32 cpu = 0; cpu < t->cpu; cpu++)
        if (fingerprints[cpu] && alike(pmu_caps_of(cpu), t->caps))
            return cpu;
    return t->cpu;
}

static void fingerprint(struct test *t)
{
    u32 crc = 0;
    fingerprints[t->cpu] = 0;
    if (!barrier(t))
        return;
    for_each_row (registers, msr) {
        struct bit_walk walk;
        if (!gate_bits(t->caps, *msr))
            continue;
        walk_bits(t, *msr, *msr, &walk);
        check_restored(t, *msr, &walk);
        crc = walk_crc32(crc, *msr, &walk);
    }
    fingerprints[t->cpu] = crc;
    note(t, "fingerprint", "of=access", "", "crc32=%08x", crc);
    if (barrier(t))
        check_equal(t, "differs", crc, fingerprints[first_alike(t)], 0);
}

TEST("access.fingerprint", .title = "Equal CPUs treat the bits of their PMU registers alike",
     .spec = "SDM 3B, Architectural Performance Monitoring", .covers = "A-051,A-058,B-014", .needs = NEEDS_VERSION(2),
     .scope = ALL_TOGETHER, .run = fingerprint, .measures = true);
