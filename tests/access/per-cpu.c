/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each logical CPU has its own event selects, counters and controls, even if it shares its core with another one. All
 * CPUs write values to theirs; then one CPU after the other writes different values, and the registers of all others
 * must not change. No counter is enabled, so nothing counts. At the end all CPUs clear theirs.
 *
 * An operating system writes these registers on one CPU while another one counts, without coordination.
 */
#include "harness/test.h"

#define TURNS_MOST 16 /* with more CPUs only the first ones */

/* The values on a CPU: the first two sets differ in every register. */
static const struct held {
    u64 evtsel, counter, fixed_field, global, overflows; /* the last two: masks of the counters' bits */
} found = {EVTSEL_EVENT(0xc0) | EVTSEL_OS, 0x11111, 0, MASK(31, 0), MASK(63, 32)},
  other = {EVTSEL_EVENT(0x3c) | EVTSEL_USR, 0x22222, FIXED_PMI(0), MASK(63, 32), MASK(31, 0)}, nothing = {0};

static u64 fixed_control(const struct test *t, const struct held *held)
{
    u64 control = 0;
    for_each_fixed_counter (t, i)
        control |= held->fixed_field << 4 * i;
    return control;
}

static void hold(struct test *t, const struct held *held)
{
    u64 all = caps_counter_bits(t->caps);
    for_each_gp_counter (t, n)
        write_msr(t, MSR_PERFEVTSEL(n), held->evtsel);
    for_each_counter (t, c)
        write_msr(t, c->msr, held->counter);
    if (t->caps->fixed_bitmap)
        write_msr(t, MSR_FIXED_CTR_CTRL, fixed_control(t, held));
    write_msr(t, MSR_PERF_GLOBAL_CTRL, held->global & all);
    if (t->caps->version < 4)
        return;
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, all);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, held->overflows & all);
}

static void check_held(struct test *t, const struct held *held)
{
    u64 all = caps_counter_bits(t->caps);
    for_each_gp_counter (t, n)
        check_bits(about(t, ASPECT_EVENT_SELECT), "others-control", MSR_PERFEVTSEL(n), ~0ull, held->evtsel);
    for_each_counter (t, c)
        check_bits(about(t, ASPECT_COUNTER_VALUE), "others-counter", c->msr, ~0ull, held->counter);
    if (t->caps->fixed_bitmap)
        check_bits(t, "others-control", MSR_FIXED_CTR_CTRL, ~0ull, fixed_control(t, held));
    check_bits(t, "others-control", MSR_PERF_GLOBAL_CTRL, all, held->global & all);
    if (t->caps->version >= 4)
        check_bits(t, "others-status", MSR_PERF_GLOBAL_STATUS, all, held->overflows & all);
}

static void turn(struct test *t, bool mine)
{
    hold(t, &found);
    barrier(t);
    if (mine)
        hold(t, &other);
    barrier(t);
    if (!mine)
        check_held(t, &found);
    barrier(t);
    hold(t, &nothing);
    barrier(t);
}

static void per_cpu(struct test *t)
{
    barrier(t); /* all CPUs have stored their earlier values */
    for (u32 position = 0; position < t->cpus && position < TURNS_MOST; position++)
        turn(t, position == t->position);
}

TEST("access.per-cpu", .title = "Counters, controls and status are each logical CPU's own",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "B-070",
     .needs = {.version = 2, .cpus = 2}, .scope = ALL_TOGETHER, .run = per_cpu);
