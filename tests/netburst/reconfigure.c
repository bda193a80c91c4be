/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Re-configuring on NetBurst: sampling is stopped and, after a quiescent period, set up again with another DS area. No
 * record that was armed for the old area is then written to the new one, and none to the old one either. The new set-up
 * counts from far below its end, so anything written then is left over from the old one. Then it samples the old event
 * with the usual period: where there were records before there are some again, if need be at the TRIES-th attempt.
 *
 * The period is 10 ms; no manual says how long it has to be.
 */
#include "harness/chapter/netburst.h"

#define QUIET_US 10000
#define FAR 0x100000
#define TRIES 4

static void check_goes_on(struct test *t)
{
    struct netburst_setup again = netburst_setup_of(t, 0);
    struct sampled block;
    unsigned try = 0;
    again.which = 1;
    do
        netburst_sample(t, &again, &block, NETBURST_ROUNDS);
    while (!netburst_written(&again) && ++try < TRIES);
    check_true(t, "no-record-after", netburst_written(&again), try, "1 record or more", 0);
    netburst_check_bounds(t, &again);
}

static bool one_change(struct test *t)
{
    struct netburst_setup old = netburst_setup_of(t, 0), new = netburst_setup_of(t, 1);
    struct sampled block;
    netburst_sample(t, &old, &block, NETBURST_ROUNDS + t->turn % 8);
    time_delay_us(QUIET_US);
    u64 written = netburst_written(&old);
    new.which = 1;
    new.period = FAR;
    netburst_sample(t, &new, &block, NETBURST_ROUNDS);
    time_delay_us(QUIET_US);
    check_equal(t, "stray-in-the-old-area", netburst_written(&old), written, 0);
    check_equal(t, "stray-in-the-new-area", ds_area_touched(&new.area, 0), ds_area_end(&new.area), 0);
    netburst_check_bounds(t, &old);
    if (written)
        check_goes_on(t);
    measure(t, "records-before", "records", written / old.size);
    return sampling_more(t, 1);
}

TEST("netburst.reconfigure", .title = "After a quiescent period no residual record reaches the new set-up",
     .spec = "SDM 3B, Re-configuring PEBS Facilities", .needs = {.no_pmu = true, .netburst = true},
     .scope = EACH_CPU_IN_TURN, .repeat = one_change, .measures = true);
