/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A guest without a PMU has none of its registers: if a hypervisor shows no leaf 0AH, RDMSR of a PMU's register is a
 * general-protection fault, and so is RDPMC. One that answers nevertheless shows its host's counters, or a state that
 * nobody keeps for the guest.
 *
 * IA32_PERFEVTSEL0 and 1 and their counters are left out: P6 had them before there was a leaf 0AH, and KVM lets its
 * guests read zeros there. Nothing is written. A hypervisor that ignores accesses to any MSR cannot be asked.
 */
#include "harness/test.h"

#define NO_REGISTER 0x40ffffff /* beyond those that the manual leaves to hypervisors; no CPU has it */

static const u32 registers[] = {
    MSR_PMC(2),
    MSR_PERFEVTSEL(2),
    MSR_A_PMC(0),
    MSR_FIXED_CTR(0),
    MSR_FIXED_CTR(1),
    MSR_FIXED_CTR(2),
    MSR_PERF_METRICS,
    MSR_FIXED_CTR_CTRL,
    MSR_PERF_GLOBAL_STATUS,
    MSR_PERF_GLOBAL_CTRL,
    MSR_PERF_GLOBAL_STATUS_RESET,
    MSR_PERF_GLOBAL_STATUS_SET,
    MSR_PERF_GLOBAL_INUSE,
    MSR_PEBS_ENABLE,
};

static void answers(struct test *t, u32 msr)
{
    u64 value = 0;
    check_fault(t, "answers", rdmsr_try(msr, &value), FAULT_GP, msr);
}

static void no_pmu(struct test *t)
{
    u64 value;
    if (!t->caps->hypervisor)
        skip(t, "CPUID.1:ECX[31]=0: no hypervisor that may hide a PMU");
    if (t->caps->present)
        skip(t, "CPUID.0AH:EAX[7:0]=%u: this guest has a PMU", t->caps->version);
    if (rdmsr_try(NO_REGISTER, &value) == NO_FAULT)
        skip(t, "MSR 0x%x, which no CPU has, answers: the hypervisor ignores accesses (KVM's ignore_msrs)",
             NO_REGISTER);
    for_each_row (registers, msr)
        answers(t, *msr);
    if (!t->caps->pdcm)
        answers(t, MSR_PERF_CAPABILITIES);
    check_fault(t, "rdpmc-answers", rdpmc_try(0, &value), FAULT_GP, 0);
}

TEST("enum.no-pmu", .title = "In a guest without a PMU the PMU's registers fault",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "A-052", .needs = {.no_pmu = true},
     .scope = EACH_CPU, .run = no_pmu,
     .unproven = "the reference PMU hides nothing from this image: it is tried hosted, under a hypervisor's name");
