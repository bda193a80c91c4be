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

#define COUNTERS 18
#define ROUNDS 8 /* 16 instructions of each kind */
#define EVENT(event, mask) (FIELD(30, 25, event) | FIELD(24, 9, mask))
#define GLOBAL_POWER_EVENTS EVENT(0x13, 1) /* running */
#define UOP_QUEUE_WRITES EVENT(0x09, 7)    /* from everywhere */
#define PACKED_SP_UOP EVENT(0x08, 0x8000)  /* all */
#define INSTR_RETIRED EVENT(0x02, 1)       /* not bogus, not tagged */

/* From the first counter of a group on: which ESCR goes with each, as a bit, and the event. */
static const struct group {
    u8 first, count, second; /* bit n of `second`: counter n of the group has the second ESCR */
    u8 select;               /* the CCCR's select value */
    u32 escr;                /* the first one */
    u64 event;
} groups[] = {
    {0, 4, 0xc, 6, MSR_FSB_ESCR(0), GLOBAL_POWER_EVENTS},
    {4, 4, 0xc, 0, MSR_MS_ESCR(0), UOP_QUEUE_WRITES},
    {8, 4, 0xc, 1, MSR_FIRM_ESCR(0), PACKED_SP_UOP},
    {12, 6, NETBURST_IQ_SECOND, 4, MSR_CRU_ESCR(0), INSTR_RETIRED},
};

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

/* The bit that lets the calling thread be counted at CPL 0. */
static u64 own_level(struct test *t)
{
    struct netburst_setup setup = netburst_setup_of(t, 0);
    setup.pebs = false;
    if (!netburst_begin(&setup))
        error_for(t, REASON_OPTION_MEMORY, "no memory for the DS area");
    netburst_clear(&setup);
    return setup.thread ? ESCR_T1_OS : ESCR_T0_OS;
}

/* One counter of a group, with its CCCR and the ESCR that selects what it counts. */
struct lane {
    u32 counter, cccr;
    u64 control;
    struct switch_write start_stop; /* by the ESCR: a write of the CCCR would clear OVF */
};

static struct lane lane_of(const struct group *group, unsigned n, u64 level)
{
    return (struct lane){
        .counter = MSR_NETBURST_COUNTER(group->first + n),
        .cccr = MSR_CCCR(group->first + n),
        .control = FIELD(15, 13, group->select) | CCCR_ACTIVE_THREAD | CCCR_ENABLE,
        .start_stop = {.msr = group->escr + (group->second >> n & 1), .on = group->event | level},
    };
}

/* Counts from `from` on. Returns which of the 18 CCCRs have OVF then, as bits. */
static u64 flags_after(struct test *t, const struct lane *lane, u64 from)
{
    u64 flags = 0;
    write_msr(t, lane->cccr, 0);
    write_msr(t, lane->start_stop.msr, 0);
    netburst_put_counter(lane->counter, from);
    write_msr(t, lane->cccr, lane->control);
    execution_run(&lane->start_stop, ROUNDS);
    for (unsigned n = 0; n < COUNTERS; n++)
        flags |= read_msr(t, MSR_CCCR(n)) & CCCR_OVF ? BIT(n) : 0;
    return flags;
}

static void check_wraps(struct test *t, const struct lane *lane, u64 counted)
{
    u64 own = BIT(lane->cccr - MSR_CCCR(0)), flags = 0;
    for (unsigned wraps = 0; wraps < NETBURST_WRAPS && !flags; wraps++)
        flags = flags_after(t, lane, (0 - (counted + 1) / 2) & MASK(39, 0));
    check_equal(t, "not-its-flag-alone", flags, own, lane->cccr);
}

static void check_counts(struct test *t, const struct lane *lane)
{
    u64 flags = flags_after(t, lane, 0), counted = read_msr(t, lane->counter);
    check_true(t, "not-counted", counted > 0, counted, "a count above 0", lane->counter);
    check_equal(t, "flag-without-wrap", flags, 0, lane->cccr);
    if (counted)
        check_wraps(t, lane, counted);
    write_msr(t, lane->cccr, 0);
    write_msr(t, lane->start_stop.msr, 0);
    netburst_put_counter(lane->counter, 0);
}

static bool one_group(struct test *t)
{
    const struct group *group = &groups[t->turn % ARRAY_SIZE(groups)];
    u64 level = own_level(t);
    for (unsigned n = 0; n < group->count; n++) {
        check_counter_kept(t, MSR_NETBURST_COUNTER(group->first + n), MSR_CCCR(group->first + n));
        struct lane lane = lane_of(group, n, level);
        check_counts(t, &lane);
    }
    return sampling_more(t, ARRAY_SIZE(groups));
}

TEST("netburst.counters", .title = "All 18 counters and CCCRs keep what is written, and count",
     .spec = "SDM 3B, Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)",
     .needs = {.no_pmu = true, .netburst = true}, .scope = EACH_CPU_IN_TURN, .repeat = one_group);
