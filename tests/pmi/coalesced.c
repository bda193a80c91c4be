/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When several counters overflow at the same time, at least one PMI comes, and the handlers find the overflow bit of
 * every one of them in IA32_PERF_GLOBAL_STATUS; how many PMIs that takes is not promised and is measured. With fixed
 * and with NMI delivery.
 */
#include "harness/test.h"

static void overflow_together(struct test *t, enum pmi_delivery delivery, const char *name)
{
    pmi_listen(delivery, PMI_CLEAR_STATUS | PMI_UNMASK);
    u64 all = provoke_all(t, COUNT_OS | COUNT_INT), seen = 0;
    pmi_wait(1);
    settle();
    check_delivered(t, 0);
    for (u32 i = 0; i < pmi_log()->count && i < PMI_RECORDS; i++)
        seen |= pmi_log()->record[i].status;
    seen |= read_msr(t, MSR_PERF_GLOBAL_STATUS);
    check_equal(t, "bit-not-seen", seen & all, all, MSR_PERF_GLOBAL_STATUS);
    measure(t, name, "pmis", pmi_log()->count);
    pmu_status_clear(all);
    pmi_close();
}

static bool both_deliveries(struct test *t)
{
    if (t->turn % 2)
        overflow_together(t, PMI_NMI, "nmi");
    else
        overflow_together(t, PMI_FIXED, "fixed");
    return more_samples(t);
}

TEST("pmi.coalesced", .title = "Counters that overflow together raise a PMI and all set their bits",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-046",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = both_deliveries, .measures = true);
