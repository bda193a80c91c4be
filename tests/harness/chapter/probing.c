/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/chapter/probing.h"
#include "harness/test.h"
#include "kernel/text/text.h"

#define RUNS 4

bool documented(const struct test *t, enum erratum_fact_id fact)
{
    return erratum_documented(&erratum_facts[fact], t->caps);
}

void need_sheet(struct test *t)
{
    if (!erratum_sheet_complete(t->caps))
        skip(t, ERRATA_UNTOLD, t->caps->signature);
}

void probe_work(struct test *t, const struct probe *probe)
{
    struct counter counter = gp_counter(t->caps, 0);
    u64 difference;
    write_msr(t, MSR_PERFEVTSEL(0), probe->event | EVTSEL_USR | EVTSEL_EN);
    count_settled(t, probe->work, &counter, 1, 0, RUNS, &difference);
    check_count(about(t, probe->aspects), probe->label, difference, probe->each * RUNS, MSR_PMC(0));
}

bool probe_forced(const struct pmu_caps *caps)
{
    u64 fault = 0;
    if (strcmp(caps->hypervisor_name, "KVMKVMKVM"))
        return false;
    __asm__ volatile("1: ud2\n\t"
                     ".ascii \"kvm\"\n\t"
                     "xorl %%eax, %%eax\n"
                     "2:\n\t"
                     ".pushsection extable, \"a\"\n\t"
                     ".quad 1b, 2b\n\t"
                     ".popsection"
                     : "+a"(fault)
                     :
                     : "memory");
    return fault == NO_FAULT;
}
