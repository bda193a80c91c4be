/*
 * Re-configuring on NetBurst: sampling is stopped and, after a quiescent period, set up again with another DS area. No
 * record that was armed for the old area is then written to the new one, and none to the old one either. The new set-up
 * counts from far below its end, so anything written then is left over from the old one.
 *
 * The period is 10 ms; no manual says how long it has to be.
 */
#include "harness/chapter/netburst.h"
#include "kernel/core/time.h"

#define QUIET_US 10000
#define FAR 0x100000

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
    measure(t, "records-before", "records", written / old.size);
    return sampling_more(t, 1);
}

TEST("netburst.reconfigure", .title = "After a quiescent period no residual record reaches the new set-up",
     .spec = "SDM 3B, Re-configuring PEBS Facilities", .needs = {.no_pmu = true, .netburst = true},
     .scope = EACH_CPU_IN_TURN, .repeat = one_change, .measures = true);
