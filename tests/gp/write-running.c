/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter that is written while it counts continues from the written value. The manual asks to stop it first, and
 * some CPUs misbehave otherwise (O8, N15: a carry into the upper bits; BJ54), so only this is judged: a read soon after
 * shows the write in the lower 32 bits. The count before it is far from the written value. CPUs with full-width writes
 * are asked by both names of the counter, as old software still uses the first one. Measured are the value after
 * 0 was written to a running counter, and whether writing all ones makes it overflow.
 *
 * Judged is also that it can be stopped afterwards like any other.
 */
#include "harness/test.h"

#define TURNS 40 /* more than 64 instructions: the stop must not meet the overflow (BJ58, BV85, AAJ143) */
#define WRITES 8
#define PLACED(i) (0x10000000 + 0x1000000 * (u64)(i)) /* bit 31 is clear, so both names of a counter read the same */
#define APART 0x800000                                /* more than is counted between the write and the read */

/* The lower half of the first read that does not show the value written before it; 0: all do. */
static u64 write_not_seen(struct test *t, struct counter c, u32 msr)
{
    for (unsigned i = 0; i < WRITES; i++) {
        write_msr(t, msr, PLACED(i));
        u64 value = counter_read(c) & MASK(31, 0);
        if (value - PLACED(i) >= APART)
            return value ? value : ~0ull;
    }
    return 0;
}

static void check_writes_seen(struct test *t, const char *label, struct counter c, u32 msr)
{
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, 0);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
    spin(TURNS);
    u64 stale = write_not_seen(t, c, msr);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    check_true(t, label, !stale, stale, "the value just written, and little more", msr);
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
    check_writes_seen(t, "write-not-seen", c, c.msr);
    if (t->caps->full_width)
        check_writes_seen(t, "legacy-write-not-seen", c, (u32)MSR_PMC(c.index));
    write_under_way(t, c);
    settle();
    u64 value = counter_read(c);
    spin(TURNS);
    check_equal(t, "moves-when-stopped", counter_read(c), value, c.msr);
    pmu_status_clear(BIT(c.bit));
    counter_clear(c);
    return more;
}

TEST("gp.write-running", .title = "A counter that is written while it counts continues from the written value",
     .spec = "SDM 3B, Architectural Performance Monitoring", .covers = "A-090,A-091,B-068",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .repeat = one_counter, .measures = true);
