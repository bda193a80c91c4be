/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * On a CPU with PERF_METRICS, fixed counter 3 counts pipeline slots, and the bytes of MSR_PERF_METRICS say how they
 * were spent, which the chapter topdown tests. Slots per cycle are only measured, because the sibling thread's load
 * changes them.
 *
 * Judged is that slots are counted. The events for the same kinds of slots are measured.
 */
#include "harness/chapter/topdown.h"

#define K 100

static bool run_with_metrics(struct test *t)
{
    struct counter slots = slots_counter(t);
    struct counter cycles = fixed_counter(t->caps, FIXED_CORE_CYCLES);
    counter_setup(slots, 0, COUNT_OS, 0);
    counter_setup(cycles, 0, COUNT_OS, 0);
    run_block(t, BIT(slots.bit) | BIT(cycles.bit) | GLOBAL_METRICS, K);
    u64 counted = counter_read(slots), ran = counter_read(cycles);
    check_true(t, "no-slots", counted, counted, "a count of slots", slots.msr);
    if (ran)
        measure(t, "slots", "permille-of-cycles", counted * 1000 / ran);
    return more_samples(t);
}

/* The same kinds of slots as events of GP counters, if they are enumerated. */
static const struct {
    const char *name;
    u8 index;
    u16 event;
} kinds[] = {
    {"backend-bound", 8, ARCH_EVENT_TOPDOWN_BACKEND},
    {"bad-speculation", 9, ARCH_EVENT_TOPDOWN_BAD_SPEC},
    {"frontend-bound", 10, ARCH_EVENT_TOPDOWN_FRONTEND},
    {"retiring", 11, ARCH_EVENT_TOPDOWN_RETIRING},
};

static void measure_kinds(struct test *t)
{
    struct counter c = gp_counter(t->caps, 0);
    for_each_row (kinds, kind) {
        if (!caps_event_available(t->caps, kind->index))
            continue;
        counter_setup(c, kind->event, COUNT_OS, 0);
        run_block(t, BIT(c.bit), K);
        measure(t, kind->name, "slots", counter_read(c));
    }
    counter_clear(c);
}

static void prepare(struct test *t)
{
    measure_kinds(t);
}

TEST("fixed.metrics", .title = "Slots are counted, and PERF_METRICS divides them into kinds",
     .spec = "SDM 3B, Performance Metrics", .covers = "A-080,A-081,B-072",
     .needs = {.version = 2, .fixed = true, .metrics = true}, .scope = EACH_CPU, .prepare = prepare,
     .repeat = run_with_metrics, .measures = true);
