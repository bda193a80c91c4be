/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Architectural PEBS is enumerated in two places, which must agree: record format 15 in IA32_PERF_CAPABILITIES, and
 * sub-leaves 4 (groups) and 5 (counters) of CPUID leaf 23H, neither of which is of use without the other. A counter
 * that has the precise distribution by sub-leaf 5 can sample. IA32_PEBS_ENABLE and MSR_PEBS_DATA_CFG no longer exist:
 * each counter's CFG_C replaces them, and software that still programs them must get a fault. That is not tested if
 * IA32_PERF_CAPABILITIES[14] is set: by one document this bit means that these registers exist.
 *
 * Software that finds one half assumes the other, and then faults or gets no records.
 */
#include "harness/test.h"

enum { GROUPS = 4, SAMPLING = 5 };

static u32 valid_subleaves(const struct pmu_caps *caps)
{
    return caps->leaf23_counters ? cpuid(0x23, 0).eax : 0;
}

static void check_old_registers(struct test *t)
{
    u64 value;
    check_true(t, "old-register-answers", rdmsr_try(MSR_PEBS_ENABLE, &value) != NO_FAULT, MSR_PEBS_ENABLE,
               "#GP: there is no IA32_PEBS_ENABLE", MSR_PEBS_ENABLE);
    check_true(t, "old-register-answers", rdmsr_try(MSR_PEBS_DATA_CFG, &value) != NO_FAULT, MSR_PEBS_DATA_CFG,
               "#GP: there is no MSR_PEBS_DATA_CFG", MSR_PEBS_DATA_CFG);
}

static void enumerated(struct test *t)
{
    u32 valid = valid_subleaves(t->caps);
    bool format = pebs_format(t->caps) == PEBS_FORMAT_ARCHITECTURAL;
    if (!format && !(valid & (BIT(GROUPS) | BIT(SAMPLING))))
        skip(t, "IA32_PERF_CAPABILITIES[11:8]=%u, CPUID.23H.0:EAX=0x%x: no architectural PEBS", pebs_format(t->caps),
             valid);
    check_equal(t, "sub-leaves-apart", valid >> GROUPS & 1, valid >> SAMPLING & 1, 0);
    check_equal(t, "format-apart", format, valid >> SAMPLING & 1, MSR_PERF_CAPABILITIES);
    if (!(valid & BIT(SAMPLING)))
        return;
    struct cpuid_regs leaf = cpuid(0x23, SAMPLING);
    check_equal(t, "precise-without-sampling", leaf.ebx & ~leaf.eax, 0, 0);
    check_equal(t, "precise-without-sampling", leaf.edx & ~leaf.ecx, 0, 0);
    measure(t, "pebs-unavailable", "0-or-1", t->caps->pebs_unavailable);
    if (format && apebs_usable(t->caps) && !(t->caps->perf_capabilities & PERF_CAP_PEBS_BASELINE))
        check_old_registers(t);
}

TEST("apebs.enumerated", .title = "Record format and both sub-leaves enumerate architectural PEBS, or none does",
     .spec = "SDM 2A, CPUID-CPU Identification", .covers = "A-015,A-016", .needs = {.version = 1, .no_counter = true},
     .scope = EACH_CPU, .run = enumerated, .measures = true);
