/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/chapter/probing.h"
#include "harness/settled.h"

#define RUNS 4

static void need(struct test *t, bool sheet)
{
    if (!sheet)
        skip(t, "CPUID.1:EAX=0x%08x: no sheet of its errata is at hand", t->caps->signature);
}

bool told(const struct test *t, enum erratum_fact_id fact)
{
    return erratum_told(&erratum_facts[fact], t->caps);
}

void need_told(struct test *t, enum erratum_fact_id fact)
{
    need(t, told(t, fact));
}

void need_sheet(struct test *t)
{
    need(t, erratum_all_told(t->caps));
}

void probe_work(struct test *t, const struct probe *probe)
{
    struct counter counter = gp_counter(t->caps, 0);
    u64 difference;
    write_msr(t, MSR_PERFEVTSEL(0), probe->event | EVTSEL_USR | EVTSEL_EN);
    count_settled(t, probe->work, &counter, 1, 0, RUNS, &difference);
    check_count(about(t, probe->aspects), probe->label, difference, probe->each * RUNS, MSR_PMC(0));
}
