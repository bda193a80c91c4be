/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A guest has only the counters that CPUID shows it: RDMSR of a counter or control beyond them is a general-protection
 * fault, and so is RDPMC. A hypervisor whose user has chosen fewer counters than its host has, and which answers for
 * the others all the same, lets a guest use what belongs to somebody else.
 *
 * IA32_PERFEVTSEL0 and 1 and their counters are left out: P6 had them without any leaf, and KVM lets its guests read
 * zeros there. Nothing is written. On hardware further counters may answer: hybrid CPUs have some that no leaf names.
 */
#include "harness/test.h"

#define NO_REGISTER 0x40ffffff /* beyond those that the manual leaves to hypervisors; no CPU has it */
#define OF_P6 2

static void answers(struct test *t, u32 msr)
{
    u64 value;
    check_fault(t, "answers", rdmsr_try(msr, &value), FAULT_GP, msr);
}

static void no_rdpmc(struct test *t, u32 index)
{
    u64 value;
    check_fault(t, "rdpmc-answers", rdpmc_try(index, &value), FAULT_GP, 0);
}

static void gp_beyond(struct test *t, u32 n)
{
    if (n >= OF_P6) {
        answers(t, MSR_PERFEVTSEL(n));
        answers(t, MSR_PMC(n));
    }
    answers(t, MSR_A_PMC(n));
    no_rdpmc(t, RDPMC_GP(n));
}

static void no_more(struct test *t)
{
    u64 value;
    if (!t->caps->hypervisor)
        skip(t, "CPUID.1:ECX[31]=0: no hypervisor that may show fewer counters than there are");
    if (rdmsr_try(NO_REGISTER, &value) == NO_FAULT)
        skip(t, "MSR 0x%x, which no CPU has, answers: the hypervisor ignores accesses (KVM's ignore_msrs)",
             NO_REGISTER);
    for (u32 n = 0; n < GP_COUNTERS_MAX; n++)
        if (!(t->caps->gp_bitmap >> n & 1))
            gp_beyond(t, n);
    for (u32 i = 0; i < FIXED_COUNTERS_MAX; i++)
        if (!(t->caps->fixed_bitmap >> i & 1)) {
            answers(t, MSR_FIXED_CTR(i));
            no_rdpmc(t, RDPMC_FIXED(i));
        }
}

TEST("enum.no-more", .title = "A guest has no counter beyond those that CPUID shows",
     .spec = "SDM 3B, Architectural Performance Monitoring", .needs = NEEDS_VERSION(1), .scope = EACH_CPU,
     .run = no_more,
     .unproven = "the reference PMU hides nothing from this image: it is tried hosted, under a hypervisor's name");
