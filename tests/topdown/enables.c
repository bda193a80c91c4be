/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PERF_METRICS is updated while bit 48 of IA32_PERF_GLOBAL_CTRL is set and fixed counter 3 counts: set to a value that
 * no block of this image can cause, it changes. Once both are stopped it reads the same until somebody writes it.
 *
 * No document says what it does with only one of them, or with the counter at another privilege level, and no driver
 * uses it that way: whether it changes is measured. Without bit 48 fields may fall in any case, since the counter by
 * which they are divided continues: only a rising field counts as a change.
 */
#include "harness/chapter/topdown.h"

static u64 metrics_after(struct test *t, unsigned flags, u64 mask)
{
    metrics_setup(t, flags, METRICS_SLOTS, METRICS_WRITTEN);
    run_block(t, mask, METRICS_K);
    return read_msr(t, MSR_PERF_METRICS);
}

/* Fields that fell are replaced by their written value; what then differs has risen. */
static u64 without_falls(u64 metrics)
{
    u64 risen = 0;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        u64 now = metrics >> shift & METRICS_WHOLE, written = (u64)METRICS_WRITTEN >> shift & METRICS_WHOLE;
        risen |= (now > written ? now : written) << shift;
    }
    return risen;
}

static void measure_moved(struct test *t, const char *name, u64 metrics)
{
    measure(t, name, "0-or-1", !metrics_near(metrics, METRICS_WRITTEN));
}

static bool enables(struct test *t)
{
    u64 both = SLOTS_ON | GLOBAL_METRICS, moved;
    measure_moved(t, "rose-without-enable", without_falls(metrics_after(t, COUNT_OS, SLOTS_ON)));
    measure_moved(t, "moved-at-other-cpl", metrics_after(t, COUNT_USR, both));
    measure_moved(t, "moved-without-slots", metrics_after(t, 0, GLOBAL_METRICS));
    moved = metrics_after(t, COUNT_OS, both);
    check_true(t, "stands", !metrics_near(moved, METRICS_WRITTEN), moved, "the block's own value", MSR_PERF_METRICS);
    run_block(t, 0, METRICS_K);
    check_equal(t, "moves-while-stopped", read_msr(t, MSR_PERF_METRICS), moved, MSR_PERF_METRICS);
    return more_samples(t);
}

TEST("topdown.enables", .title = "PERF_METRICS changes with its enable bit and its counter on, and not when stopped",
     .spec = "SDM 3B, Performance Metrics", .covers = "B-072", .needs = {.version = 2, .fixed = true, .metrics = true},
     .scope = EACH_CPU, .repeat = enables, .measures = true);
