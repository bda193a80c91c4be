/*
 * PERF_METRICS is kept while bit 48 of IA32_PERF_GLOBAL_CTRL is set and fixed counter 3 counts, at the privilege levels
 * at which that counts. With either missing it stands, and once stopped it reads the same for as long as nobody writes.
 *
 * Written first to a value that no block of this image comes to, so that it is seen whether it moved. What bit 48 does
 * without the counter is measured.
 */
#include "harness/samples.h"
#include "harness/topdown.h"

#define K 40

static u64 metrics_after(struct test *t, unsigned flags, u64 mask)
{
    metrics_setup(t, flags, 0, METRICS_WRITTEN);
    run_block(t, mask, K);
    return read_msr(t, MSR_PERF_METRICS);
}

static bool enables(struct test *t)
{
    u64 both = SLOTS_ON | GLOBAL_METRICS, moved;
    check_equal(t, "moves-without-enable", metrics_after(t, COUNT_OS, SLOTS_ON), METRICS_WRITTEN, MSR_PERF_METRICS);
    check_equal(t, "moves-at-other-cpl", metrics_after(t, COUNT_USR, both), METRICS_WRITTEN, MSR_PERF_METRICS);
    measure(t, "moved-without-slots", "0-or-1", metrics_after(t, 0, GLOBAL_METRICS) != METRICS_WRITTEN);
    moved = metrics_after(t, COUNT_OS, both);
    check_true(t, "stands", moved != METRICS_WRITTEN, moved, "a value of the block's own", MSR_PERF_METRICS);
    run_block(t, 0, K);
    check_equal(t, "moves-while-stopped", read_msr(t, MSR_PERF_METRICS), moved, MSR_PERF_METRICS);
    return more_samples(t);
}

TEST("topdown.enables", .title = "PERF_METRICS moves with its enable bit and its counter alone",
     .spec = "SDM 3B, Performance Metrics", .covers = "A-081", .needs = {.version = 2, .fixed = true},
     .scope = EACH_CPU, .prepare = need_metrics, .repeat = enables, .measures = true);
