/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With FORCE_OVF set in its CCCR a counter overflows at each count, whatever its value: OVF is set although the counter
 * has not wrapped. Without a count there is no overflow: FORCE_OVF leaves OVF clear while nothing is counted.
 *
 * Debuggers use it to single-step: a PMI after each instruction.
 */
#include "harness/chapter/netburst.h"

#define FAR 0x100000

static bool flagged(struct test *t, struct netburst_setup *setup, u64 rounds)
{
    struct sampled block;
    if (!netburst_begin(setup))
        error_for(t, REASON_OPTION_MEMORY, "no memory for the DS area, or no room in it");
    settle();
    bool flag = read_msr(t, netburst_cccr(setup)) & CCCR_OVF;
    if (!rounds)
        return flag;
    sampled_prepare(&block, rounds);
    sampled_run(&setup->start_stop, &block);
    return read_msr(t, netburst_cccr(setup)) & CCCR_OVF;
}

static bool one_force(struct test *t)
{
    struct netburst_setup setup = netburst_setup_of(t, 0);
    setup.pebs = false;
    setup.force = true;
    setup.period = FAR;
    check_equal(t, "forced-without-count", flagged(t, &setup, 0), false, netburst_cccr(&setup));
    check_equal(t, "not-forced", flagged(t, &setup, NETBURST_ROUNDS), true, netburst_cccr(&setup));
    measure(t, "wrapped", "0-or-1", netburst_wrapped(t, &setup));
    write_msr(t, netburst_cccr(&setup), 0);
    return sampling_more(t, 1);
}

TEST("netburst.forced", .title = "FORCE_OVF makes each count an overflow", .spec = "SDM 3B, CCCR MSRs",
     .needs = {.no_pmu = true, .netburst = true}, .scope = EACH_CPU_IN_TURN, .repeat = one_force, .measures = true);
