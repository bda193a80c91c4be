/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An ESCR has an enable bit for CPL 0 and one for the other levels, for each thread. With each of the four settings for
 * its own thread a counter of loads runs at CPL 0 and at CPL 3: it wraps where its bits select the level, and not
 * elsewhere. Blocks at CPL 3 need a transition at CPL 0, which has some hundred loads: there the wrap is further away.
 * A wrap at CPL 3 alone sets OVF in the CCCR like any other, though not every time, as drivers know.
 */
#include "harness/chapter/netburst.h"

#define K 600          /* at least as many loads */
#define TRANSITION 512 /* more loads than the way to CPL 3 and back has */

static const struct row {
    const char *label;
    bool at_user, os, user, counts;
    u64 period;
} rows[] = {
    {"os-at-cpl-0", false, true, false, true, NETBURST_PERIOD},
    {"usr-at-cpl-0", false, false, true, false, NETBURST_PERIOD},
    {"both-at-cpl-0", false, true, true, true, NETBURST_PERIOD},
    {"none-at-cpl-0", false, false, false, false, NETBURST_PERIOD},
    {"os-at-cpl-3", true, true, false, false, TRANSITION},
    {"usr-at-cpl-3", true, false, true, true, TRANSITION},
    {"both-at-cpl-3", true, true, true, true, TRANSITION},
    {"none-at-cpl-3", true, false, false, false, NETBURST_PERIOD},
};

static void run(struct test *t, const struct row *row, struct netburst_setup *setup)
{
    *setup = netburst_setup_of(t, 0);
    setup->pebs = false;
    setup->os = row->os;
    setup->user = row->user;
    setup->period = row->period;
    if (!netburst_begin(setup))
        error_for(t, REASON_OPTION_MEMORY, "no memory for the DS area");
    if (row->at_user)
        workload("memory")->run_user(&setup->start_stop, K);
    else
        workload("memory")->run(&setup->start_stop, NETBURST_PERIOD);
    netburst_end(setup, 0);
}

static void check_flag(struct test *t, const struct row *row, struct netburst_setup *setup)
{
    u32 wraps = 0;
    while (wraps < NETBURST_WRAPS && !(read_msr(t, netburst_cccr(setup)) & CCCR_OVF)) {
        run(t, row, setup);
        wraps++;
    }
    check_range(t, "no-flag-of-cpl-3", wraps, 0, NETBURST_WRAPS - 1, netburst_cccr(setup));
}

static bool one_row(struct test *t)
{
    const struct row *row = &rows[t->turn % ARRAY_SIZE(rows)];
    struct netburst_setup setup;
    run(t, row, &setup);
    bool wrapped = netburst_wrapped(t, &setup);
    check_equal(t, row->label, wrapped, row->counts, netburst_counter(&setup));
    measure(t, row->label, "loads", (read_msr(t, netburst_counter(&setup)) + setup.period) & MASK(39, 0));
    if (row->at_user && wrapped && !row->os)
        check_flag(t, row, &setup);
    write_msr(t, netburst_cccr(&setup), 0);
    return sampling_more(t, ARRAY_SIZE(rows));
}

TEST("netburst.rings", .title = "An ESCR's bits select the privilege levels that are counted",
     .spec = "SDM 3B, ESCR MSRs", .needs = {.no_pmu = true, .netburst = true}, .scope = EACH_CPU_IN_TURN,
     .repeat = one_row, .measures = true);
