/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERFEVTSELn.INV inverts the comparison with the counter mask. With a mask of 0 there is no comparison, and the
 * counter counts events as if INV were clear. Judged is the difference between a short and a long run.
 */
#include "harness/test.h"

static void inv_without_cmask(struct test *t)
{
    const struct workload *w = &workloads[0];
    struct counter list[COUNTERS_MAX];
    unsigned n = gp_counters(t, list);
    for (unsigned i = 0; i < n; i++)
        write_msr(t, MSR_PERFEVTSEL(i), EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | EVTSEL_OS | EVTSEL_INV | EVTSEL_EN);
    check_counted(t, "inverted", w, list, n, w->instructions_per_k);
}

TEST("gp.inv-without-cmask", .title = "INV has no effect while the counter mask is 0",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-057",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .run = inv_without_cmask);
