/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From version 6 on IA32_PMC_GPn_CFG_A is an alias of IA32_PERFEVTSELn: what is written by one name is read by the
 * other, for each bit of an event select. Nothing counts meanwhile: IA32_PERF_GLOBAL_CTRL is 0.
 */
#include "harness/chapter/alias.h"

static void one_bit(struct test *t, unsigned n, u64 bit)
{
    write_msr(t, MSR_PERFEVTSEL(n), bit);
    check_bits(t, "not-read", MSR_PMC_GP_CFG_A(n), ~0ull, bit);
    write_msr(t, MSR_PMC_GP_CFG_A(n), 0);
    check_bits(t, "not-cleared", MSR_PERFEVTSEL(n), ~0ull, 0);
    write_msr(t, MSR_PMC_GP_CFG_A(n), bit);
    check_bits(t, "not-written", MSR_PERFEVTSEL(n), ~0ull, bit);
}

static u64 bits_of(const struct pmu_caps *caps, unsigned n)
{
    return EVTSEL_DEFINED | caps_evtsel_more(caps) |
           (caps->perf_capabilities & PERF_CAP_PEBS_BASELINE ? EVTSEL_ADAPTIVE : 0) |
           (caps->lbr_logged >> n & 1 ? EVTSEL_BR_CNTR : 0);
}

static void control(struct test *t)
{
    need_aliases(t);
    for_each_gp_counter (t, n) {
        if (!(aliased_counters(t->caps) >> n & 1))
            continue;
        for (u64 left = bits_of(t->caps, n); left; left &= left - 1)
            one_bit(t, n, left & -left);
        write_msr(t, MSR_PERFEVTSEL(n), 0);
    }
}

TEST("alias.control", .title = "IA32_PMC_GPn_CFG_A is an alias of IA32_PERFEVTSELn",
     .spec = "SDM 4, Architectural MSRs", .covers = "B-074", .needs = NEEDS_VERSION(5), .scope = EACH_CPU,
     .run = control);
