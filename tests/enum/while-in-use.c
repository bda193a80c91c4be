/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a CPU has does not depend on what is done with it: CPUID leaf 0AH, IA32_PERF_CAPABILITIES and the two bits of
 * IA32_MISC_ENABLE that say whether counters and sampling are available read as at the start, while counters count, are
 * enabled for sampling or frozen.
 *
 * Drivers ask when they are loaded, and that may be when the firmware or another agent is already using the PMU.
 */
#include "harness/test.h"

static void leaf_0a(struct test *t)
{
    struct cpuid_regs now = cpuid(0x0a, 0);
    const struct cpuid_regs *then = &t->caps->leaf0a;
    check_equal(t, "leaf", now.eax, then->eax, 0);
    check_equal(t, "leaf", now.ebx, then->ebx, 0);
    check_equal(t, "leaf", now.ecx, then->ecx, 0);
    check_equal(t, "leaf", now.edx, then->edx, 0);
}

static void while_in_use(struct test *t)
{
    u64 mask = setup_all(t, NULL), available = MISC_ENABLE_PERFMON | MISC_ENABLE_PEBS_UNAVAILABLE;
    write_msr(t, MSR_PERF_GLOBAL_CTRL, mask);
    leaf_0a(t);
    if (t->caps->pdcm && !t->caps->perf_capabilities_unread)
        check_bits(t, "capabilities", MSR_PERF_CAPABILITIES, ~0ull, t->caps->perf_capabilities);
    if (!t->caps->misc_enable_unread)
        check_bits(t, "availability", MSR_MISC_ENABLE, available, t->caps->misc_enable & available);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
}

TEST("enum.while-in-use", .title = "What is enumerated does not depend on what the PMU does",
     .spec = "SDM 3B, Architectural Performance Monitoring", .needs = {.version = 2, .event = 2}, .scope = EACH_CPU,
     .run = while_in_use, .aside = ASIDE(AROUND_SAMPLED) | ASIDE_COUNTERS | ASIDE_ACTIVITY);
