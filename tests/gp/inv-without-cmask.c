/*
 * IA32_PERFEVTSELn.INV inverts the comparison with the counter mask. A mask of 0 compares nothing, and the counter then
 * counts events as if INV were clear. Judged as the difference between a short and a long run.
 */
#include "harness/provoke.h"

#define SHORT_K 2
#define LONG_K 10

static void inv_without_cmask(struct test *t)
{
    const struct workload *w = &workloads[0];
    struct counter list[COUNTERS_MAX];
    struct slope slope[COUNTERS_MAX];
    unsigned n = gp_counters(t, list);
    for (unsigned i = 0; i < n; i++)
        write_msr(t, MSR_PERFEVTSEL(i), EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | EVTSEL_OS | EVTSEL_INV | EVTSEL_EN);
    count_slope(t, w, list, n, SHORT_K, LONG_K, false, slope);
    for (unsigned i = 0; i < n; i++)
        check_slope(t, "inverted", &list[i], &slope[i], w->instructions_per_k * (LONG_K - SHORT_K));
}

TEST("gp.inv-without-cmask", .title = "INV has no effect while the counter mask is 0",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-057",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .run = inv_without_cmask);
