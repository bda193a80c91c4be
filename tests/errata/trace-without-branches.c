/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A trace can be turned on without BranchEn: it then has no packets of branches. On some CPUs the WRMSR that sets
 * TraceEn with BranchEn clear faults (BDD90, BDM106), so all other tests set it.
 */
#include "harness/chapter/probing.h"
#include "harness/chapter/tracing.h"

static void without_branches(struct test *t)
{
    tracing_begin(t, 0, 0);
    fault_t fault = wrmsr_try(MSR_RTIT_CTL, TRACE_CONTROL & ~RTIT_CTL_BRANCH_EN);
    trace_off();
    check_fault(about(t, ASPECT_TRACE_ALONE), "faults", fault, NO_FAULT, MSR_RTIT_CTL);
    tracing_end(t);
}

TEST("errata.trace-without-branches", .title = "A trace can be turned on without packets of branches",
     .spec = "SDM 3C, IA32_RTIT_CTL MSR",
     .needs = {.version = 2, .trace = true, .probe = true, .told = 1 + FACT_WANTS_BRANCHES}, .scope = EACH_CPU,
     .run = without_branches);
