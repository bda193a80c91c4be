/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every counter that CPUID leaf 0AH or 23H enumerates has its registers: RDMSR can read them. The converse is not
 * promised, because hybrid CPUs have counters that no leaf enumerates: further registers that can be read are only
 * measured, and only directly after the enumerated ones, where a read cannot hurt any other register.
 */
#include "harness/test.h"

static bool answers(u32 msr)
{
    u64 value;
    return rdmsr_try(msr, &value) == NO_FAULT;
}

static void must_answer(struct test *t, const char *label, u32 msr)
{
    u64 value;
    check_fault(t, label, rdmsr_try(msr, &value), NO_FAULT, msr);
}

static const struct {
    u8 version; /* the version that introduced it */
    u32 msr;
} controls[] = {
    {2, MSR_FIXED_CTR_CTRL},    {2, MSR_PERF_GLOBAL_STATUS},     {2, MSR_PERF_GLOBAL_CTRL},
    {4, MSR_PERF_GLOBAL_INUSE}, {4, MSR_PERF_GLOBAL_STATUS_SET},
};

static void registers(struct test *t)
{
    for_each_gp_counter (t, n) {
        must_answer(t, "control", MSR_PERFEVTSEL(n));
        must_answer(t, "counter", MSR_PMC(n));
        if (t->caps->full_width)
            must_answer(t, "counter", MSR_A_PMC(n));
    }
    for_each_fixed_counter (t, i)
        must_answer(t, "counter", MSR_FIXED_CTR(i));
    for_each_row (controls, row)
        if (t->caps->version >= row->version)
            must_answer(t, "control", row->msr);
    u32 gp = (u32)__builtin_ctz(~t->caps->gp_bitmap);
    if (gp < GP_COUNTERS_MAX)
        measure(t, "gp-beyond", "answers", answers(MSR_PMC(gp)));
    if (t->caps->fixed_count < FIXED_COUNTERS_MAX)
        measure(t, "fixed-beyond", "answers", answers(MSR_FIXED_CTR(t->caps->fixed_count)));
}

TEST("enum.registers", .title = "The registers of every enumerated counter can be read",
     .spec = "SDM 3B, Architectural Performance Monitoring", .covers = "B-005", .needs = NEEDS_VERSION(1),
     .scope = EACH_CPU, .run = registers, .measures = true);
