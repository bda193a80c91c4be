/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_CAPABILITIES[15] promises MSR_PERF_METRICS, the counter of slots that it divides, bit 48 of
 * IA32_PERF_GLOBAL_CTRL and RDPMC of index 20000000H. Software that finds the bit uses all four without further checks.
 *
 * A clear bit promises nothing: hybrid CPUs show 0 while cores without PERF_METRICS are enabled beside cores with it
 * (RPL18). Then the reason for the skip says whether the register answers.
 */
#include "harness/test.h"

/* Read only on classes that are known to have it. */
static const char *answer(const struct test *t)
{
    u64 value;
    if (!class_metrics_fields(cpu_class(t->caps)))
        return "is not tried";
    return rdmsr_try(MSR_PERF_METRICS, &value) ? "faults" : "answers";
}

/* With several kinds of cores, leaf 0AH shows what they have in common; leaf 23H what this kind has besides. */
static bool tells_all(const struct test *t)
{
    return !t->caps->core_type || caps_leaf23_used(t->caps);
}

static void prepare(struct test *t)
{
    if (!(t->caps->perf_capabilities & PERF_CAP_METRICS))
        skip(t, "IA32_PERF_CAPABILITIES[15]=0 (0x%lx): no PERF_METRICS is promised, RDMSR of it %s",
             t->caps->perf_capabilities, answer(t));
}

static void enumerated(struct test *t)
{
    u64 value;
    check_fault(t, "no-register", rdmsr_try(MSR_PERF_METRICS, &value), NO_FAULT, MSR_PERF_METRICS);
    check_fault(t, "no-rdpmc", rdpmc_try(RDPMC_METRICS, &value), NO_FAULT, MSR_PERF_METRICS);
    bool slots = t->caps->fixed_bitmap & BIT(FIXED_TOPDOWN_SLOTS);
    if (tells_all(t))
        check_true(t, "no-slots", slots, t->caps->fixed_bitmap, "fixed counter 3", 0);
    check_fault(t, "no-enable", wrmsr_try(MSR_PERF_GLOBAL_CTRL, GLOBAL_METRICS), NO_FAULT, MSR_PERF_GLOBAL_CTRL);
    check_bit(t, "enable-dropped", MSR_PERF_GLOBAL_CTRL, GLOBAL_METRICS, true);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
}

TEST("topdown.enumerated", .title = "What PERF_CAPABILITIES[15] promises exists", .spec = "SDM 3B, Performance Metrics",
     .covers = "A-066,B-072", .needs = {.version = 2, .capabilities = true}, .scope = EACH_CPU, .prepare = prepare,
     .run = enumerated);
