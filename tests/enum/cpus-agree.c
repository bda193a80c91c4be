/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPUs with the same signature, kind of core, microcode and number of threads enumerate the same PMU, because software
 * asks one CPU and programs all. CPUs that differ in any of these may have different PMUs (a firmware option takes one
 * thread off a core and gives the other one its counters), so only CPUs of the same kind are compared.
 */
#include "harness/test.h"

static bool alike(const struct pmu_caps *a, const struct pmu_caps *b)
{
    return a->intel && b->intel && caps_same_kind(a, b) && a->microcode == b->microcode &&
           a->threads_per_core == b->threads_per_core;
}

/* The first CPU of the same kind as this one. */
static const struct pmu_caps *first_alike(const struct pmu_caps *caps)
{
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (alike(pmu_caps_of(cpu), caps))
            return pmu_caps_of(cpu);
    return caps;
}

/* Leaf 23H: counters, fields of event selects, auto reload, sampling. */
static void compare_leaf23(struct test *t, const struct pmu_caps *mine, const struct pmu_caps *first)
{
    check_equal(t, "leaf-23-differs", mine->leaf23_counters, first->leaf23_counters, 0);
    check_equal(t, "leaf-23-differs", mine->leaf23_features, first->leaf23_features, 0);
    check_equal(t, "leaf-23-differs", mine->reloads, first->reloads, 0);
    check_equal(t, "leaf-23-differs", mine->reload_causes, first->reload_causes, 0);
    check_equal(t, "leaf-23-differs", mine->pebs_groups, first->pebs_groups, 0);
    check_equal(t, "leaf-23-differs", mine->pebs_counters, first->pebs_counters, 0);
    check_equal(t, "leaf-23-differs", mine->pebs_precise, first->pebs_precise, 0);
}

/* Leaf 1CH: depths and features of branch records, and the counters whose events they log. */
static void compare_leaf1c(struct test *t, const struct pmu_caps *mine, const struct pmu_caps *first)
{
    check_equal(t, "leaf-1c-differs", mine->lbr_depths, first->lbr_depths, 0);
    check_equal(t, "leaf-1c-differs", mine->lbr_levels, first->lbr_levels, 0);
    check_equal(t, "leaf-1c-differs", mine->lbr_filters, first->lbr_filters, 0);
    check_equal(t, "leaf-1c-differs", mine->lbr_call_stack, first->lbr_call_stack, 0);
    check_equal(t, "leaf-1c-differs", mine->lbr_types, first->lbr_types, 0);
    check_equal(t, "leaf-1c-differs", mine->lbr_logged, first->lbr_logged, 0);
}

/* Leaf 14H. Nothing is known of a CPU on which other software traces. */
static void compare_leaf14(struct test *t, const struct pmu_caps *mine, const struct pmu_caps *first)
{
    if (mine->tracing || first->tracing)
        return;
    check_equal(t, "leaf-14-differs", mine->trace_features, first->trace_features, 0);
    check_equal(t, "leaf-14-differs", mine->trace_outputs, first->trace_outputs, 0);
    check_equal(t, "leaf-14-differs", mine->trace_ranges, first->trace_ranges, 0);
}

static void cpus_agree(struct test *t)
{
    const struct pmu_caps *mine = t->caps, *first = first_alike(mine);
    check_equal(t, "differs", mine->leaf0a.eax, first->leaf0a.eax, 0);
    check_equal(t, "differs", mine->leaf0a.ebx, first->leaf0a.ebx, 0);
    check_equal(t, "differs", mine->leaf0a.ecx, first->leaf0a.ecx, 0);
    check_equal(t, "differs", mine->leaf0a.edx, first->leaf0a.edx, 0);
    check_equal(t, "differs", mine->perf_capabilities, first->perf_capabilities, MSR_PERF_CAPABILITIES);
    compare_leaf23(t, mine, first);
    compare_leaf1c(t, mine, first);
    compare_leaf14(t, mine, first);
}

TEST("enum.cpus-agree", .title = "CPUs of one kind enumerate the same PMU",
     .spec = "SDM 3B, Architectural Performance Monitoring", .covers = "A-023,A-027,A-058,B-096",
     .needs = {.version = 1, .cpus = 2}, .scope = EACH_CPU, .run = cpus_agree);
