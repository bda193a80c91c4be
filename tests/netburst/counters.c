/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * NetBurst has 18 counters in four groups, with a CCCR each. Every counter and every CCCR keeps what is written to it,
 * and every counter counts an event of its group while code runs: running cycles, uops that are queued, arithmetic of
 * one kind, retired instructions. How many is not judged, only that it moves. Halfway below its end it wraps: then OVF
 * is set in its CCCR, and in no other. (Once in a while a wrap does not show: netburst.overflow.)
 *
 * A counter is written twice, because of the carry that an access may cause (N15, O8).
 */
#include "harness/chapter/netburst.h"

static const u64 values[] = {0x5555555555, 0xaaaaaaaaaa, 0};
static const u64 controls[] = {
    FIELD(15, 13, 5) | CCCR_ACTIVE_THREAD | CCCR_COMPARE | FIELD(23, 20, 0xa),
    FIELD(15, 13, 2) | CCCR_ACTIVE_THREAD | CCCR_COMPLEMENT | FIELD(23, 20, 0x5) | CCCR_EDGE,
};

static void check_counter_kept(struct test *t, u32 counter, u32 cccr)
{
    for_each_row (values, value) {
        netburst_put_counter(counter, *value);
        check_equal(t, "value-lost", read_msr(t, counter), *value, counter);
    }
    for_each_row (controls, control) {
        write_msr(t, cccr, *control);
        check_equal(t, "control-lost", read_msr(t, cccr) & CCCR_DEFINED, *control, cccr);
    }
    write_msr(t, cccr, 0);
}

/* Counts from `from` on. Returns which of the 18 CCCRs have OVF then, as bits. */
static u64 flags_after(struct test *t, const struct netburst_lane *lane, u64 from)
{
    netburst_lane_run(t, lane, from);
    return netburst_flags(t);
}

static void check_wraps(struct test *t, const struct netburst_lane *lane, u64 counted)
{
    u64 own = BIT(lane->cccr - MSR_CCCR(0)), flags = 0;
    for (unsigned wraps = 0; wraps < NETBURST_WRAPS && !flags; wraps++)
        flags = flags_after(t, lane, netburst_halfway(counted));
    check_equal(t, "not-its-flag-alone", flags, own, lane->cccr);
}

static void check_counts(struct test *t, const struct netburst_lane *lane)
{
    u64 flags = flags_after(t, lane, 0), counted = read_msr(t, lane->counter);
    check_true(t, "not-counted", counted > 0, counted, "a count above 0", lane->counter);
    check_equal(t, "flag-without-wrap", flags, 0, lane->cccr);
    if (counted)
        check_wraps(t, lane, counted);
    netburst_lane_clear(t, lane);
}

static bool one_group(struct test *t)
{
    const struct netburst_group *group = &netburst_groups[t->turn % NETBURST_GROUPS];
    unsigned thread = netburst_own_thread(t);
    for (unsigned n = 0; n < group->count; n++) {
        check_counter_kept(t, MSR_NETBURST_COUNTER(group->first + n), MSR_CCCR(group->first + n));
        struct netburst_lane lane = netburst_lane_of(group, n, thread);
        check_counts(t, &lane);
    }
    return sampling_more(t, NETBURST_GROUPS);
}

TEST("netburst.counters", .title = "All 18 counters and CCCRs keep what is written, and count",
     .spec = "SDM 3B, Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)",
     .needs = {.no_pmu = true, .netburst = true}, .scope = EACH_CPU_IN_TURN, .repeat = one_group);
