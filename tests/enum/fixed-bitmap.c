/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A fixed counter exists if its bit of CPUID.0AH:ECX is set (from version 5 on), or its number is below EDX[4:0], or
 * leaf 23H enumerates it for this kind of core. A counter that exists can be enabled: its bits in IA32_FIXED_CTR_CTRL
 * and in IA32_PERF_GLOBAL_CTRL can be set. Not all CPUs keep two further promises, so these are measured: that both
 * fields say the same (some CPUs show all counters in one and none in the other), and that counters outside them do not
 * exist.
 */
#include "harness/test.h"

static void can_be_enabled(struct test *t, unsigned i)
{
    fault_t fault = wrmsr_try(MSR_FIXED_CTR_CTRL, FIXED_OS(i) | FIXED_USR(i));
    if (check_fault(t, "enable-faults", fault, NO_FAULT, MSR_FIXED_CTR_CTRL))
        check_bits(t, "enable-lost", MSR_FIXED_CTR_CTRL, FIXED_FIELD(i), FIXED_OS(i) | FIXED_USR(i));
    wrmsr_try(MSR_FIXED_CTR_CTRL, 0);
    fault = wrmsr_try(MSR_PERF_GLOBAL_CTRL, GLOBAL_FIXED(i));
    if (check_fault(t, "enable-faults", fault, NO_FAULT, MSR_PERF_GLOBAL_CTRL))
        check_bit(t, "enable-lost", MSR_PERF_GLOBAL_CTRL, BIT(32 + i), true);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
}

static void fixed_bitmap(struct test *t)
{
    u32 by_number = (u32)counter_mask((unsigned)FIELD_GET(t->caps->leaf0a.edx, 4, 0));
    u32 by_bitmap = t->caps->leaf0a.ecx;
    if (t->caps->version >= 5) {
        measure(t, "only-by-number", "mask", by_number & ~by_bitmap);
        measure(t, "only-by-bitmap", "mask", by_bitmap & ~by_number);
    }
    for_each_fixed_counter (t, i)
        can_be_enabled(t, i);
}

TEST("enum.fixed-bitmap", .title = "Every fixed counter that is enumerated can be enabled",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 5", .covers = "A-008,A-009,A-010,A-079,B-003",
     .needs = {.version = 2, .fixed = true}, .scope = EACH_CPU, .run = fixed_bitmap, .measures = true);
