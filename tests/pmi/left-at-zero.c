/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * It has been reported that a handler which leaves the overflowed counter at 0, running and with its interrupt bit set,
 * gets the same PMI again and again (on all of family 6 a hypervisor writes 1 instead). How many PMIs one overflow then
 * causes is measured.
 *
 * Judged is that the first one comes.
 */
#include "harness/test.h"

static void leave_at_zero(struct pmi_record *record)
{
    struct counter c = gp_counter(pmu_caps(), 0);
    (void)record;
    counter_write(c, 0);
    if (pmi_log()->count < PMI_RECORDS)
        wrmsr_try(MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
}

static bool overflow(struct test *t)
{
    struct counter c = gp_counter(t->caps, 0);
    pmi_listen(PMI_FIXED, PMI_ACK);
    pmi_hook(leave_at_zero);
    provoke_overflow(t, c, COUNT_OS | COUNT_INT);
    pmi_wait(1);
    settle();
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    check_delivered(t, c.msr);
    measure(t, "delivered", "pmis", pmi_log()->count);
    pmi_close();
    return more_samples(t);
}

TEST("pmi.left-at-zero", .title = "PMIs of a counter that is left at 0",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-051,A-115",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = overflow, .measures = true);
