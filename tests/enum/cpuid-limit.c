/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Older firmware has an option that limits CPUID to leaf 3, for operating systems long gone: IA32_MISC_ENABLE[22]. Then
 * the PMU exists but cannot be found, and the advice is to switch the option off. Without that limit a CPU of a
 * generation with an architectural PMU shows leaf 0AH.
 */
#include "harness/test.h"

static void cpuid_limit(struct test *t)
{
    u32 highest = cpuid(0, 0).eax;
    if (!class_architectural(cpu_class(t->caps)))
        skip(t, "signature %08x: not known to have an architectural PMU", t->caps->signature);
    check_true(t, "leaf-missing", highest >= 0x0a || t->caps->cpuid_limited, highest, "highest leaf 0AH or more", 0);
}

TEST("enum.cpuid-limit", .title = "Leaf 0AH exists unless firmware hides it", .spec = "SDM 4, IA32_MISC_ENABLE",
     .covers = "A-001,B-003", .needs = {.no_pmu = true}, .scope = EACH_CPU, .run = cpuid_limit);
