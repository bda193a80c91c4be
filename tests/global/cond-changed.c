/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_GLOBAL_STATUS[63], CondChgd, reports changes to the state of the monitoring hardware. No manual says what
 * sets it: on some CPUs it is set when firmware hands them over, and some set it again in an SMI. Promised is that
 * writing a 1 clears it; whether it was set, and whether counting sets it, is measured.
 */
#include "harness/test.h"

#define K 20

static u64 changed(struct test *t)
{
    return read_msr(t, MSR_PERF_GLOBAL_STATUS) / STATUS_COND_CHGD;
}

static bool clear_and_use(struct test *t)
{
    measure(t, "found", "bit", changed(t));
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_COND_CHGD);
    check_bit(t, "not-cleared", MSR_PERF_GLOBAL_STATUS, STATUS_COND_CHGD, false);
    counter_setup(gp_counter(t->caps, 0), ARCH_EVENT_INSTRUCTIONS, COUNT_OS, 0);
    run_block(t, GLOBAL_GP(0), K);
    measure(t, "set-by-counting", "bit", changed(t));
    return more_samples(t);
}

TEST("global.cond-changed", .title = "STATUS[63] is cleared by writing a 1",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "B-028,S-007",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .repeat = clear_and_use, .measures = true);
