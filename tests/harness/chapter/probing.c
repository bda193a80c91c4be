/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/chapter/probing.h"
#include "harness/settled.h"

#define RUNS 4

bool told(const struct test *t, enum erratum_fact_id fact)
{
    return erratum_told(&erratum_facts[fact], t->caps);
}

void need_sheet(struct test *t)
{
    if (!erratum_all_told(t->caps))
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
