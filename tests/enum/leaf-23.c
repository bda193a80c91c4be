/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPUID leaf 23H enumerates the PMU of one core type, leaf 0AH what all cores of the CPU have in common: whatever
 * counters and events leaf 0AH enumerates, leaf 23H enumerates too. More are legal, and usual on hybrid CPUs. Within
 * leaf 23H the masks of later sub-leaves are subsets of the counters in sub-leaf 1. The two leaves' event masks have
 * opposite senses: set is "not available" in leaf 0AH, and "available" in leaf 23H.
 *
 * A counter that only leaf 23H enumerates can be read by RDMSR, at the addresses that counters have had since version 1
 * or at the newer ones from 1900H on. If it can be read at the old ones it is tested like all others, otherwise it is
 * not used.
 */
#include "harness/test.h"

enum { COUNTERS = 1, RELOAD = 2, EVENTS = 3, GROUPS = 4, SAMPLING = 5 };

static struct cpuid_regs subleaf(u32 number)
{
    return cpuid(0x23, number);
}

static bool has_leaf_23(void)
{
    return cpuid_has_leaf(0x23) && cpuid_has(CPUID_ARCH_PERFMON_EXT);
}

static void subset(struct test *t, const char *label, u32 part, u32 whole)
{
    check_equal(t, label, part & ~whole, 0, 0);
}

static u32 events_of_0a(const struct pmu_caps *caps)
{
    return (u32)counter_mask(caps->event_length < 32 ? caps->event_length : 32) & ~caps->events_unavailable;
}

static void counters_agree(struct test *t, u32 valid)
{
    struct cpuid_regs have = subleaf(COUNTERS);
    if (!(valid & BIT(COUNTERS)))
        return;
    u32 gp = (u32)t->caps->leaf0a_counters, fixed = (u32)(t->caps->leaf0a_counters >> 32);
    subset(t, "gp-missing", gp, have.eax);
    subset(t, "fixed-missing", fixed, have.ebx);
    measure(t, "gp-more", "mask", have.eax & ~gp);
    measure(t, "fixed-more", "mask", have.ebx & ~fixed);
    if (valid & BIT(RELOAD)) {
        subset(t, "reload-without-counter", subleaf(RELOAD).eax | subleaf(RELOAD).ecx, have.eax);
        subset(t, "reload-without-counter", subleaf(RELOAD).ebx | subleaf(RELOAD).edx, have.ebx);
    }
    if (valid & BIT(SAMPLING)) {
        subset(t, "sampling-without-counter", subleaf(SAMPLING).eax | subleaf(SAMPLING).ebx, have.eax);
        subset(t, "sampling-without-counter", subleaf(SAMPLING).ecx | subleaf(SAMPLING).edx, have.ebx);
    }
}

/* The old address was tried at the start of the run: if the counter could be read there, it is in use. */
static void must_answer(struct test *t, const char *label, bool silent, u32 msr, u32 newer)
{
    u64 value;
    check_fault(t, label, silent ? rdmsr_try(newer, &value) : NO_FAULT, NO_FAULT, msr);
}

static void counters_answer(struct test *t)
{
    u64 added = caps_leaf23_used(t->caps) ? t->caps->leaf23_counters & ~t->caps->leaf0a_counters : 0;
    for (u32 n = 0; n < GP_COUNTERS_MAX; n++)
        if (added >> n & 1)
            must_answer(t, "gp-silent", t->caps->silent >> n & 1, MSR_PMC(n), MSR_PMC_GP_CTR(n));
    for (u32 i = 0; i < FIXED_COUNTERS_MAX; i++)
        if (added >> (32 + i) & 1)
            must_answer(t, "fixed-silent", t->caps->silent >> (32 + i) & 1, MSR_FIXED_CTR(i), MSR_PMC_FX_CTR(i));
}

static void leaf_23(struct test *t)
{
    if (!has_leaf_23())
        skip(t, "CPUID.7.1:EAX[8] is clear or does not exist: no leaf 23H (highest leaf 0x%x)", cpuid(0, 0).eax);
    u32 valid = subleaf(0).eax;
    check_true(t, "no-counters-leaf", valid & BIT(COUNTERS), valid,
               "bit 1, the sub-leaf of counters, set in CPUID.23H.0:EAX", 0);
    counters_agree(t, valid);
    counters_answer(t);
    if (valid & BIT(GROUPS))
        measure(t, "sampling-groups", "mask", subleaf(GROUPS).ebx);
    if (valid & BIT(EVENTS))
        subset(t, "event-missing", events_of_0a(t->caps), subleaf(EVENTS).eax);
}

TEST("enum.leaf-23", .title = "What CPUID leaf 0AH enumerates, leaf 23H enumerates too",
     .spec = "SDM 2A, CPUID-CPU Identification", .covers = "A-012,A-013,A-014,A-015,A-016,B-004",
     .needs = {.version = 1, .no_counter = true}, .scope = EACH_CPU, .run = leaf_23, .measures = true);
