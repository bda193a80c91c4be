/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Only MSR_IQ_COUNTER4 can sample, and with hyper-threading MSR_IQ_COUNTER5 for the second thread. Each thread counts
 * loads with each of the five other counters of their group, the other thread's sampling counter among them, with
 * everything set up as for its own: no record is written. Whether the counter wrapped is measured.
 *
 * A second counter that samples would be reloaded with a value that is not meant for it.
 */
#include "harness/chapter/netburst.h"

#define IQ_COUNTERS 6

static bool one_sample(struct test *t)
{
    struct netburst_setup setup = netburst_setup_of(t, 0);
    struct sampled block;
    setup.other = 1 + t->turn % IQ_COUNTERS;
    netburst_sample(t, &setup, &block, NETBURST_ROUNDS);
    if (!netburst_own(&setup)) {
        check_equal(t, "recorded-by-other-counter", netburst_written(&setup), 0, netburst_counter(&setup));
        check_equal(t, "buffer-written", ds_area_touched(&setup.area, 0), ds_area_end(&setup.area),
                    netburst_counter(&setup));
        measure(t, "wrapped", "0-or-1", netburst_wrapped(t, &setup));
    }
    netburst_clear(&setup);
    return sampling_more(t, IQ_COUNTERS);
}

TEST("netburst.one-counter", .title = "A counter with which this thread cannot sample writes no record",
     .spec = "SDM 3B, Requirements to Program PEBS", .needs = {.no_pmu = true, .netburst = true},
     .scope = EACH_CPU_IN_TURN, .repeat = one_sample, .measures = true);
