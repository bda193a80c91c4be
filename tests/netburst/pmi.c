/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With CCCR.OVF_PMI set for its thread, a counter that wraps sends a PMI to that thread, and one that does not wrap
 * sends none: the counter counts loads, first from far below its end, then from 32 loads below it. Its value shows
 * whether it wrapped. Whether OVF is set as well is measured: when a PMI is requested, the overflow may raise it and
 * leave the flag clear, which is why drivers look at the value. LVTPC stays masked after the first PMI.
 *
 * Then each of the 18 counters, halfway below its end, with no OVF anywhere, and with OVF of all counters of the other
 * groups, which have wrapped before: NETBURST_WRAPS wraps without any PMI are a failure.
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

static void loads(struct test *t)
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
}

static u64 halfway(struct test *t, const struct netburst_lane *lane)
{
    netburst_lane_run(t, lane, 0);
    return netburst_halfway(read_msr(t, lane->counter));
}

/* Leaves OVF set. It may take more than one wrap; netburst.counters judges that. */
static void leave_flag(struct test *t, const struct netburst_lane *lane)
{
    u64 from = halfway(t, lane);
    for (unsigned wraps = 0; wraps < NETBURST_WRAPS && !(read_msr(t, lane->cccr) & CCCR_OVF); wraps++)
        netburst_lane_run(t, lane, from);
}

static void for_others(struct test *t, const struct netburst_group *but, unsigned thread,
                       void (*each)(struct test *t, const struct netburst_lane *lane))
{
    for_each_row (netburst_groups, group)
        for (unsigned n = 0; n < group->count && group != but; n++) {
            struct netburst_lane lane = netburst_lane_of(group, n, thread);
            each(t, &lane);
        }
}

static bool sends(struct test *t, const struct netburst_lane *lane, u64 from)
{
    pmi_listen(PMI_FIXED, 0);
    netburst_lane_run(t, lane, from);
    bool came = pmi_came();
    write_msr(t, lane->cccr, 0);
    pmi_close();
    return came;
}

static void each_sends(struct test *t, const struct netburst_group *group, unsigned thread, const char *label)
{
    for (unsigned n = 0; n < group->count; n++) {
        struct netburst_lane lane = netburst_lane_of(group, n, thread);
        u64 from = halfway(t, &lane);
        unsigned wraps = 0;
        lane.control |= thread ? CCCR_OVF_PMI_T1 : CCCR_OVF_PMI_T0;
        while (from && wraps < NETBURST_WRAPS && !sends(t, &lane, from))
            wraps++;
        check_range(t, label, wraps, 0, NETBURST_WRAPS - 1, lane.cccr);
        netburst_lane_clear(t, &lane);
    }
}

static bool one_group(struct test *t)
{
    const struct netburst_group *group = &netburst_groups[t->turn % NETBURST_GROUPS];
    loads(t);
    unsigned thread = netburst_own_thread(t);
    each_sends(t, group, thread, "not-sent");
    for_others(t, group, thread, leave_flag);
    each_sends(t, group, thread, "not-sent-beside-flags");
    for_others(t, group, thread, netburst_lane_clear);
    return sampling_more(t, NETBURST_GROUPS);
}

TEST("netburst.pmi", .title = "A counter that wraps sends the PMI that its CCCR requests", .spec = "SDM 3B, CCCR MSRs",
     .needs = {.no_pmu = true, .netburst = true, .apic = true}, .scope = EACH_CPU_IN_TURN, .repeat = one_group,
     .measures = true);
