/*
 * A counter that is written while it counts. The manual asks to stop it first, and some CPUs do odd things then (O8,
 * N15: a carry into the upper bits; BJ54), so what happens is measured: what a counter holds after 0 was written to it
 * under way, and whether all ones take it across its end.
 *
 * That it is stopped like any other afterwards is judged.
 */
#include "harness/running.h"
#include "harness/samples.h"

#define TURNS 40 /* more than 64 instructions: the stop must not meet the overflow (BJ58, BV85, AAJ143) */

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
    write_under_way(t, c);
    settle();
    u64 value = counter_read(c);
    spin(TURNS);
    check_equal(t, "moves-when-stopped", counter_read(c), value, c.msr);
    pmu_status_clear(BIT(c.bit));
    counter_clear(c);
    return more;
}

TEST("gp.write-running", .title = "Counters written while they count",
     .spec = "SDM 3B, Architectural Performance Monitoring", .covers = "A-090,A-091,B-068",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .repeat = one_counter, .measures = true);
