/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With CCCR.OVF_PMI set for its thread, a counter that wraps sends a PMI to that thread, and one that does not wrap
 * sends none: the counter counts loads, first from far below its end, then from 32 loads below it. Its value shows
 * whether it wrapped. Whether OVF is set as well is measured: when a PMI is requested, the overflow may raise it and
 * leave the flag clear, which is why drivers look at the value. LVTPC stays masked after the first PMI.
 *
 * Without the PMI a counter is useless for sampling by interrupts or as a watchdog.
 */
#include "harness/chapter/netburst.h"

#define FAR 0x100000

static u32 pmis_from(struct test *t, struct netburst_setup *setup, u64 period)
{
    struct sampled block;
    setup->period = period;
    pmi_listen(PMI_FIXED, 0);
    netburst_sample(t, setup, &block, NETBURST_ROUNDS);
    bool waits = netburst_wrapped(t, setup);
    u32 pmis = waits && !pmi_came() ? 0 : pmi_settled();
    pmi_close();
    return pmis;
}

static bool both(struct test *t)
{
    struct netburst_setup setup = netburst_setup_of(t, 0);
    setup.pebs = false;
    setup.pmi = true;
    check_equal(t, "pmi-without-overflow", pmis_from(t, &setup, FAR), 0, netburst_cccr(&setup));
    u32 pmis = pmis_from(t, &setup, NETBURST_PERIOD);
    check_true(t, "not-wrapped", netburst_wrapped(t, &setup), read_msr(t, netburst_counter(&setup)), "below 2^39",
               netburst_counter(&setup));
    check_true(t, "not-delivered", pmis > 0, pmis, "1 PMI or more", netburst_cccr(&setup));
    measure(t, "ovf-with-pmi", "0-or-1", !!(read_msr(t, netburst_cccr(&setup)) & CCCR_OVF));
    write_msr(t, netburst_cccr(&setup), 0);
    return sampling_more(t, 1);
}

TEST("netburst.pmi", .title = "A counter that wraps sends the PMI that its CCCR requests", .spec = "SDM 3B, CCCR MSRs",
     .needs = {.no_pmu = true, .netburst = true, .apic = true}, .scope = EACH_CPU_IN_TURN, .repeat = both,
     .measures = true);
