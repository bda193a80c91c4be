/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PERF_METRICS says how the slots that fixed counter 3 has counted were spent, so clearing the counter starts a new
 * division: writing 0 to it clears PERF_METRICS. That is why software restores the counter first and then PERF_METRICS,
 * which keeps what is written and does not change the counter. In the other order a restored program has its slots
 * without their division. No document says whether a value other than 0 clears it as well: that is measured.
 *
 * Both are written while stopped, in each order. A field may differ by 1 from what was written, since hardware may keep
 * it as a fraction of the slots; whether all are kept exactly is measured.
 */
#include "harness/chapter/topdown.h"

#define SLOTS 0x123456

/* Writes both registers, then the counter again: returns what is left in PERF_METRICS. */
static u64 left_after(struct test *t, u64 written)
{
    struct counter slots = slots_counter(t);
    metrics_setup(t, 0, SLOTS, METRICS_WRITTEN);
    u64 kept = read_msr(t, MSR_PERF_METRICS);
    check_metrics(t, "not-kept", kept, METRICS_WRITTEN);
    measure(t, "kept-exactly", "0-or-1", kept == METRICS_WRITTEN);
    check_equal(t, "slots-changed", counter_read(slots), SLOTS, slots.msr);
    write_msr(t, slots.msr, written);
    return read_msr(t, MSR_PERF_METRICS);
}

static void write_order(struct test *t)
{
    measure(t, "cleared-by-slots", "0-or-1", !left_after(t, SLOTS));
    check_equal(t, "kept-over-zero", left_after(t, 0), 0, MSR_PERF_METRICS);
}

TEST("topdown.write-order", .title = "Clearing the counter of slots clears PERF_METRICS, which keeps what is written",
     .spec = "SDM 3B, Performance Metrics", .covers = "B-072", .needs = {.version = 2, .fixed = true, .metrics = true},
     .scope = EACH_CPU, .run = write_order, .measures = true);
