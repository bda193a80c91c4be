/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Some features that CPUID and IA32_PERF_CAPABILITIES enumerate are only useful together with another one, which they
 * imply by the manual: a CPU that has the one and lacks the other contradicts itself. Software that finds half of a
 * feature either faults or does not use it, and most tests would skip it.
 *
 * Tested are implications that hold for every version and kind of core: the bit for IA32_PERF_CAPABILITIES implies that
 * RDMSR can read it; the bit for leaf 23H, that the leaf exists; counters in that leaf, that leaf 0AH has a version;
 * architectural branch records, that leaf 1CH has a depth; the baseline of adaptive sampling and the retire latency,
 * that the record format has groups. The converse is not promised: it is measured.
 */
#include "harness/test.h"

#define DEPTHS MASK(7, 0)

static void check_leaf_23(struct test *t)
{
    bool told = cpuid_has(CPUID_ARCH_PERFMON_EXT), there = cpuid_has_leaf(0x23);
    u32 highest = cpuid(0, 0).eax, counters = there ? cpuid(0x23, 1).eax : 0;
    check_true(t, "no-leaf-23", !told || there, highest, "highest leaf 23H or more, as CPUID.7.1:EAX[8] is 1", 0);
    check_true(t, "no-version", !counters || t->caps->present || !t->caps->perfmon_available, counters,
               "no counters in CPUID.23H.1:EAX, as CPUID.0AH:EAX[7:0] is 0", 0);
    measure(t, "leaf-23-untold", "mask", told ? 0 : counters);
}

static void check_branch_records(struct test *t)
{
    bool told = cpuid_has(CPUID_ARCH_LBR), there = cpuid_has_leaf(0x1c);
    u32 depths = there ? cpuid(0x1c, 0).eax & (u32)DEPTHS : 0;
    check_true(t, "no-depth", !told || depths, depths, "a depth in CPUID.1CH:EAX[7:0], as CPUID.7.0:EDX[19] is 1", 0);
}

static void check_capabilities(struct test *t)
{
    u64 value = t->caps->perf_capabilities;
    bool groups = pebs_format(t->caps) >= PEBS_FORMAT_ADAPTIVE;
    check_true(t, "capabilities-silent", !t->caps->perf_capabilities_unread, 0,
               "RDMSR reads the register, as CPUID.1:ECX[15] is 1", MSR_PERF_CAPABILITIES);
    check_true(t, "baseline-without-groups", !(value & PERF_CAP_PEBS_BASELINE) || groups, value,
               "format 4 or later in bits 11:8, as bit 14 is 1", MSR_PERF_CAPABILITIES);
    check_true(t, "timing-without-groups", !(value & PERF_CAP_PEBS_TIMING) || groups, value,
               "format 4 or later in bits 11:8, as bit 17 is 1", MSR_PERF_CAPABILITIES);
}

static void leaves_agree(struct test *t)
{
    check_leaf_23(t);
    check_branch_records(t);
    check_capabilities(t);
}

TEST("enum.leaves-agree", .title = "Features that CPUID enumerates in one place have what they imply in another",
     .spec = "SDM 2A, CPUID-CPU Identification", .covers = "A-001,A-018,A-019,B-003,B-004,B-006",
     .needs = {.no_pmu = true}, .scope = EACH_CPU, .run = leaves_agree, .measures = true);
