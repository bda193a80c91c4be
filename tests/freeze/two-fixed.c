/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fixed counters 0 and 1 overflow close together while counters freeze on PMI: the freeze may come before the second
 * one overflows, but a counter that did wrap has its bit set in IA32_PERF_GLOBAL_STATUS.
 *
 * First the test measures how far counter 1 gets until counter 0 overflows; then it moves counter 1's overflow past
 * that point, one event at a time.
 */
#include "harness/test.h"

#define INSTRUCTIONS 200
#define PLACES 24 /* events before and after the point */

/* Runs until counter 0 has overflowed and all counters stand still. */
static void run_to_freeze(struct test *t, u64 preset1)
{
    struct counter first = fixed_counter(t->caps, 0), second = fixed_counter(t->caps, 1);
    u64 both = BIT(first.bit) | BIT(second.bit);
    counter_setup(first, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_INT, counter_preset(first, INSTRUCTIONS));
    counter_setup(second, ARCH_EVENT_CORE_CYCLES, COUNT_OS | COUNT_INT, preset1);
    pmi_open(PMI_FIXED, 0);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, both);
    spin(INSTRUCTIONS);
    settle();
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
}

static void put_away(struct test *t, u64 found)
{
    pmu_status_clear(caps_counter_bits(t->caps));
    pmi_close();
    freeze_end(found);
    counter_clear(fixed_counter(t->caps, 0));
    counter_clear(fixed_counter(t->caps, 1));
}

/* Counter 1's value once all counters stand still, or have wrapped, and STATUS at that time. */
static u64 both_overflow(struct test *t, u64 preset1, u64 *status)
{
    u64 found = freeze_begin(DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    run_to_freeze(t, preset1);
    u64 value = counter_read(fixed_counter(t->caps, 1));
    *status = pmu_status();
    put_away(t, found);
    return value;
}

struct place {
    u64 distance; /* counter 1's events until counter 0 overflows */
    u32 number;
};

static bool look_up_distance(struct test *t, void *argument)
{
    struct place *place = argument;
    u64 status;
    place->distance = both_overflow(t, 0, &status);
    check_true(t, "fixed-0-unseen", status & BIT(32), status, "bit 32 set", MSR_PERF_GLOBAL_STATUS);
    return false;
}

static bool one_place(struct test *t, void *argument)
{
    const struct place *place = argument;
    u64 status, preset = counter_preset(fixed_counter(t->caps, 1), place->distance + PLACES - place->number);
    if (both_overflow(t, preset, &status) < place->distance) /* it has wrapped */
        check_true(about(t, ASPECT_FIXED_OVERFLOW), "fixed-wrap-unseen", status & BIT(33), status, "bit 33 set",
                   MSR_PERF_GLOBAL_STATUS);
    return false;
}

static void two_fixed(struct test *t)
{
    struct place place = {0, 0};
    need_freeze(t);
    if (!(t->caps->fixed_bitmap >> 1 & 1))
        skip(t, "no fixed counter 1: bitmap %x", t->caps->fixed_bitmap);
    repeat_clean(t, look_up_distance, &place);
    for (; place.number < 2 * PLACES && place.number < place.distance; place.number++)
        repeat_clean(t, one_place, &place);
}

TEST("freeze.two-fixed",
     .title = "Of two fixed counters that overflow while freezing, each that wrapped sets its status bit",
     .spec = "SDM 3B, Freezing LBR and Performance Counters on PMI", .covers = "B-036",
     .needs = {.version = 2, .event = 2, .fixed = true, .apic = true}, .scope = EACH_CPU, .run = two_fixed);
