/*
 * A counter that is written while it counts goes on from what was written. The manual asks to stop it first, and some
 * CPUs do odd things then (O8, N15: a carry into the upper bits; BJ54), so that only this is judged: the write is seen,
 * in the lower 32 bits, by a read soon after. What was counted before is far from the value. What a counter holds after
 * 0 was written to it under way, and whether all ones take it across its end, is measured.
 *
 * That it is stopped like any other afterwards is judged, too.
 */
#include "harness/running.h"
#include "harness/samples.h"

#define TURNS 40 /* more than 64 instructions: the stop must not meet the overflow (BJ58, BV85, AAJ143) */
#define WRITES 8
#define PLACED(i) (0x10000000 + 0x1000000 * (u64)(i)) /* bit 31 is clear: the same by both names of a counter */
#define APART 0x800000                                /* more than is counted between write and read */

/* The lower half of the first read that does not show what was written before it; 0: all do. */
static u64 write_not_seen(struct test *t, struct counter c)
{
    for (unsigned i = 0; i < WRITES; i++) {
        write_msr(t, c.msr, PLACED(i));
        u64 value = counter_read(c) & MASK(31, 0);
        if (value - PLACED(i) >= APART)
            return value ? value : ~0ull;
    }
    return 0;
}

static void check_writes_seen(struct test *t, struct counter c)
{
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, 0);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
    spin(TURNS);
    u64 stale = write_not_seen(t, c);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    check_true(t, "write-not-seen", !stale, stale, "the value just written, and little more", c.msr);
}

static void write_under_way(struct test *t, struct counter c)
{
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, 0);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
    spin(TURNS);
    write_msr(t, c.msr, 0);
    spin(TURNS);
    measure(t, "after-zero", "instructions", counter_read(c));
    write_msr(t, c.msr, counter_mask(t->caps->full_width ? c.width : 32));
    spin(TURNS);
    measure(t, "overflowed", "runs", pmu_status() >> c.bit & 1);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
}

static bool one_counter(struct test *t)
{
    struct counter c = gp_in_turn(t, t->turn);
    bool more = more_samples_of(t, t->caps->gp_count);
    check_writes_seen(t, c);
    write_under_way(t, c);
    settle();
    u64 value = counter_read(c);
    spin(TURNS);
    check_equal(t, "moves-when-stopped", counter_read(c), value, c.msr);
    pmu_status_clear(BIT(c.bit));
    counter_clear(c);
    return more;
}

TEST("gp.write-running", .title = "A counter that is written while it counts goes on from there",
     .spec = "SDM 3B, Architectural Performance Monitoring", .covers = "A-090,A-091,B-068",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .repeat = one_counter, .measures = true);
