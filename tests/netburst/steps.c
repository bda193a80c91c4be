/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The last rows of the table "Requirements to Program PEBS", each left out in turn: with MSR_PEBS_ENABLE clear, a
 * counter of tagged uops wraps and writes no record; with MSR_PEBS_MATRIX_VERT clear, replay tagging has no metric, and
 * there is none either; and none without the enable bit of the CCCR, which is the last row.
 */
#include "harness/chapter/netburst.h"

#define FRONT_END 0 /* of netburst_events */
#define REPLAY 2

static void without_enable(struct test *t, struct netburst_setup *setup)
{
    (void)setup;
    write_msr(t, MSR_PEBS_ENABLE, 0);
}

static void without_matrix(struct test *t, struct netburst_setup *setup)
{
    (void)setup;
    write_msr(t, MSR_PEBS_MATRIX_VERT, 0);
}

static void without_cccr(struct test *t, struct netburst_setup *setup)
{
    (void)t;
    setup->start_stop.on = setup->start_stop.off;
}

static const struct {
    const char *label;
    unsigned event;
    void (*leave_out)(struct test *t, struct netburst_setup *setup);
} rows[] = {
    {"recorded-without-enable", FRONT_END, without_enable},
    {"recorded-without-matrix", REPLAY, without_matrix},
    {"recorded-without-cccr", FRONT_END, without_cccr},
};

static bool one_step(struct test *t)
{
    unsigned which = t->turn % ARRAY_SIZE(rows);
    struct netburst_setup setup = netburst_setup_of(t, rows[which].event);
    struct sampled block;
    if (!netburst_begin(&setup))
        error_for(t, REASON_OPTION_MEMORY, "no memory for the DS area, or no room in it");
    rows[which].leave_out(t, &setup);
    sampled_prepare(&block, NETBURST_ROUNDS);
    sampled_run(&setup.start_stop, &block);
    netburst_end(&setup, PEBS_QUIET_US);
    u64 touched = ds_area_touched(&setup.area, 0);
    check_equal(t, rows[which].label, touched == ds_area_end(&setup.area) ? netburst_written(&setup) : touched + 1, 0,
                netburst_cccr(&setup));
    return sampling_more(t, ARRAY_SIZE(rows));
}

TEST("netburst.steps", .title = "Without one of the last steps of setting up no record is written",
     .spec = "SDM 3B, Requirements to Program PEBS", .needs = {.no_pmu = true, .netburst = true},
     .scope = EACH_CPU_IN_TURN, .repeat = one_step);
