/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Execution tagging: an upstream ESCR tags uops by the type of their operands, and execution_event counts those that
 * retire with the tag: packed and scalar, single and double precision, and 128-bit integers in turn. How many uops each
 * counts, how many records it gives, and whether these lie in the code that ran is measured: no log of such a CPU
 * exists.
 *
 * Judged: the CCCR's OVF flag shows whether the counter wrapped, from 32 or far more below its end, though not for
 * every wrap, as drivers know; records are whole, and nothing is written past the index.
 */
#include "harness/chapter/netburst.h"

#define ROUNDS 64 /* 128 instructions of each kind */
#define FAR 0x100000

static struct netburst_setup setup_of(const struct test *t, u32 turn)
{
    struct netburst_setup setup = netburst_setup_of(t, 0);
    setup.event = &netburst_executions[turn % netburst_execution_count];
    return setup;
}

static void run(struct test *t, struct netburst_setup *setup)
{
    if (!netburst_begin(setup))
        error_for(t, REASON_OPTION_MEMORY, "no memory for the DS area, or no room in it");
    execution_run(&setup->start_stop, ROUNDS);
    netburst_end(setup, PEBS_QUIET_US);
}

/* Returns false if the counter wrapped and the flag is clear. */
static bool count_once(struct test *t, struct netburst_setup *setup)
{
    run(t, setup);
    u64 value = read_msr(t, netburst_counter(setup));
    bool flag = read_msr(t, netburst_cccr(setup)) & CCCR_OVF;
    bool wrapped = netburst_wrapped(t, setup);
    check_true(t, "flag-without-wrap", !flag || wrapped, value, "below 2^39", netburst_counter(setup));
    measure(t, setup->event->name, "uops", (value + setup->period) & MASK(39, 0));
    return flag || !wrapped;
}

static void count(struct test *t, u32 turn, u64 period)
{
    struct netburst_setup setup = setup_of(t, turn);
    u32 wraps = 0;
    setup.pebs = false;
    setup.period = period;
    while (wraps < NETBURST_WRAPS && !count_once(t, &setup))
        wraps++;
    measure(t, "wraps-without-flag", "wraps", wraps);
    check_range(t, "wrap-without-flag", wraps, 0, NETBURST_WRAPS - 1, netburst_counter(&setup));
}

static void sample_it(struct test *t, u32 turn)
{
    struct netburst_setup setup = setup_of(t, turn);
    struct pebs_record record;
    u64 end;
    run(t, &setup);
    netburst_check_bounds(t, &setup);
    measure(t, "records", "records", netburst_count(&setup, &end));
    for (u64 offset = 0; netburst_next(&setup, &offset, &record);)
        measure(t, "ip-in-the-code", "0-or-1", record.ip >= (u64)execution_start && record.ip <= (u64)execution_end);
}

static bool one_kind(struct test *t)
{
    count(t, t->turn, FAR);
    count(t, t->turn, NETBURST_PERIOD);
    sample_it(t, t->turn);
    return sampling_more(t, netburst_execution_count);
}

TEST("netburst.execution", .title = "What execution tagging counts and samples",
     .spec = "SDM 3B, Tagging Mechanism For Execution_event", .needs = {.no_pmu = true, .netburst = true},
     .scope = EACH_CPU_IN_TURN, .repeat = one_kind, .measures = true);
