/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A region whose entry has INT clear raises no PMI when it is full, and does not change bit 55 of
 * IA32_PERF_GLOBAL_STATUS: a driver that wants a PMI only for the last of many regions is not woken by each of them.
 */
#include "harness/chapter/tracing.h"

static bool without_int(struct test *t)
{
    struct tracing tracing = tracing_begin(t, 0, 0);
    pmi_listen(PMI_FIXED, 0);
    trace_until(tracing_room(&tracing));
    check_equal(t, "delivered", pmi_settled(), 0, 0);
    check_bit(t, "status-bit", MSR_PERF_GLOBAL_STATUS, STATUS_TRACE_TOPA_PMI, false);
    pmi_close();
    tracing_end(t);
    return more_samples(t);
}

TEST("trace.without-int", .title = "A full region whose entry has INT clear raises no PMI",
     .spec = "SDM 3C, Table of Physical Addresses (ToPA)", .needs = {.version = 2, .apic = true}, .scope = EACH_CPU,
     .prepare = need_trace, .repeat = without_int, .alone = "bit 55 of STATUS, which could stand, is its subject");
