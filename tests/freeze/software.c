/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Software freezes the counters by writing CTR_FRZ to IA32_PERF_GLOBAL_STATUS_SET, and ends the freeze by writing it to
 * IA32_PERF_GLOBAL_STATUS_RESET. IA32_PERF_GLOBAL_CTRL keeps its value all the time, and clearing CTR_FRZ is the only
 * write needed to count again. Meanwhile RDPMC reads of each counter what RDMSR does.
 *
 * A hypervisor that restores a guest's frozen state relies on this.
 */
#include "harness/test.h"

static bool freeze_and_resume(struct test *t)
{
    u64 mask = setup_mixed(t, NULL, 0);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, mask);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
    check_bit(about(t, ASPECT_FREEZE), "ctr-frz-not-set", MSR_PERF_GLOBAL_STATUS, STATUS_CTR_FRZ, true);
    check_stopped(t, "not-frozen");
    for_each_counter (t, c)
        check_rdpmc(t, c->rdpmc, c->msr);
    check_bits(about(t, ASPECT_FREEZE), "global-ctrl-changed", MSR_PERF_GLOBAL_CTRL, mask, mask);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ);
    check_bit(about(t, ASPECT_FREEZE), "ctr-frz-not-cleared", MSR_PERF_GLOBAL_STATUS, STATUS_CTR_FRZ, false);
    check_moving(t, "not-resumed");
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    return more_samples(t);
}

TEST("freeze.software", .title = "STATUS_SET freezes the counters and STATUS_RESET ends the freeze",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-025",
     .needs = {.version = 4, .event = 2}, .scope = EACH_CPU, .repeat = freeze_and_resume, .cells = CELL_RINGS,
     .aside = ASIDE_FIELDS | ASIDE(AROUND_SAMPLED));
