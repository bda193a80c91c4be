/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sub-leaf 0 of CPUID leaf 23H is a map of the existing sub-leaves, itself included; all others are 0 in all four
 * registers. Architectural sampling has two sub-leaves, for its groups and its counters, and a counter with the precise
 * distribution must be one that can sample. A sub-leaf of counters, and one of counters that can sample, has at least
 * one counter; other sub-leaves that exist but are empty are measured. If topdown events are enumerated, slots are
 * either stated as a number per cycle or counted by fixed counter 3.
 *
 * Additional fields of event selects are enumerated here and not by a version: CPUs of version 5 have fields that came
 * with version 6. So the combination of the two is only measured, and whether such a CPU has the registers of version 6
 * too.
 */
#include "harness/test.h"

enum { COUNTERS = 1, EVENTS = 3, GROUPS = 4, SAMPLING = 5, NUMBERS = 64 };
#define TOPDOWN_EVENTS MASK(11, 8)
#define SLOTS_A_CYCLE MASK(7, 0)

static void check_unnamed(struct test *t, u64 named)
{
    for (u32 number = 1; number < NUMBERS; number++) {
        struct cpuid_regs answer = cpuid(0x23, number);
        if (!(named >> number & 1))
            check_equal(t, "unnamed-answers", answer.eax | answer.ebx | answer.ecx | answer.edx, 0, 0);
    }
}

/* Sub-leaves that exist but are 0 in all registers. */
static void check_empty(struct test *t, u32 named)
{
    u32 empty = 0, never = (u32)(BIT(COUNTERS) | BIT(SAMPLING));
    for (u32 number = 1; number < 32; number++) {
        struct cpuid_regs answer = cpuid(0x23, number);
        if ((named >> number & 1) && !(answer.eax | answer.ebx | answer.ecx | answer.edx))
            empty |= (u32)BIT(number);
    }
    check_equal(t, "named-and-empty", empty & never, 0, 0);
    measure(t, "empty", "mask", empty);
}

static void check_sampling(struct test *t, u32 named)
{
    struct cpuid_regs counters = cpuid(0x23, SAMPLING);
    check_equal(t, "half-of-sampling", named >> GROUPS & 1, named >> SAMPLING & 1, 0);
    check_equal(t, "precise-only", (counters.ebx & ~counters.eax) | (counters.edx & ~counters.ecx), 0, 0);
}

static void check_slots(struct test *t, u32 slots)
{
    u32 fixed = cpuid(0x23, COUNTERS).ebx;
    if (cpuid(0x23, EVENTS).eax & TOPDOWN_EVENTS)
        check_true(t, "no-slots", slots || fixed >> FIXED_TOPDOWN_SLOTS & 1, slots,
                   "slots a cycle in CPUID.23H.0:ECX, or fixed counter 3", 0);
}

static void measure_version_6(struct test *t)
{
    u64 value;
    if (t->caps->version < 6)
        measure(t, "second-names-before-6", "answers", rdmsr_try(MSR_PMC_GP_CTR(0), &value) == NO_FAULT);
    measure(t, "version", "number", t->caps->version);
    measure(t, "event-select-fields", "mask", t->caps->leaf23_features);
}

static void sub_leaves(struct test *t)
{
    if (!cpuid_has_leaf(0x23) || !cpuid_has(CPUID_ARCH_PERFMON_EXT))
        skip(t, "CPUID.7.1:EAX[8] is clear or does not exist: no leaf 23H (highest leaf 0x%x)", cpuid(0, 0).eax);
    struct cpuid_regs top = cpuid(0x23, 0);
    check_true(t, "not-named-itself", top.eax & 1, top.eax, "bit 0, of this sub-leaf, set in CPUID.23H.0:EAX", 0);
    check_unnamed(t, top.eax);
    check_empty(t, top.eax);
    check_sampling(t, top.eax);
    check_slots(t, top.ecx & SLOTS_A_CYCLE);
    measure_version_6(t);
}

TEST("enum.sub-leaves", .title = "CPUID leaf 23H has the sub-leaves that it enumerates, and they agree",
     .spec = "SDM 2A, CPUID-CPU Identification", .covers = "A-013,A-015,A-016,B-004",
     .needs = {.version = 1, .no_counter = true}, .scope = EACH_CPU, .run = sub_leaves, .measures = true);
