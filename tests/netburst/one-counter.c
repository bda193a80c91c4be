/*
 * Of all counters only MSR_IQ_COUNTER4 samples, and with hyper-threading MSR_IQ_COUNTER5 for the second thread. Each
 * thread counts loads with the other's: it wraps as it would, and no record is written, with everything set up as for
 * the one that samples. How far the counter moved is measured.
 *
 * A second counter that samples would reload itself with a value that nobody meant for it.
 */
#include "harness/chapter/netburst.h"

static bool one_sample(struct test *t)
{
    struct netburst_setup setup = netburst_setup_of(t, 0);
    struct sampled block;
    setup.other_counter = true;
    netburst_sample(t, &setup, &block, NETBURST_ROUNDS);
    check_equal(t, "recorded-by-other-counter", netburst_written(&setup), 0, netburst_counter(&setup));
    check_equal(t, "buffer-written", ds_area_touched(&setup.area, 0), ds_area_end(&setup.area), 0);
    measure(t, "wrapped", "0-or-1", netburst_wrapped(t, &setup));
    netburst_clear(&setup);
    return sampling_more(t, 1);
}

TEST("netburst.one-counter", .title = "A counter that is not this thread's for sampling writes no record",
     .spec = "SDM 3B, Requirements to Program PEBS", .needs = {.no_pmu = true, .netburst = true},
     .scope = EACH_CPU_IN_TURN, .repeat = one_sample, .measures = true);
