/*
 * PERF_METRICS is kept while bit 48 of IA32_PERF_GLOBAL_CTRL is set and fixed counter 3 counts, at the privilege levels
 * at which that counts. With either missing it stands, and once stopped it reads the same for as long as nobody writes.
 *
 * Written first to a value that no block of this image comes to, so that it is seen whether it moved. Without bit 48
 * no field may rise; all may fall, for the counter that divides them goes on. What bit 48 does without the counter is
 * measured.
 */
#include "harness/samples.h"
#include "harness/topdown.h"

static u64 metrics_after(struct test *t, unsigned flags, u64 mask)
{
    metrics_setup(t, flags, METRICS_SLOTS, METRICS_WRITTEN);
    run_block(t, mask, METRICS_K);
    return read_msr(t, MSR_PERF_METRICS);
}

/* As they were written, those that rose as they are: what is left is what may not be. */
static u64 without_falls(u64 metrics)
{
    u64 risen = 0;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        u64 now = metrics >> shift & METRICS_WHOLE, written = (u64)METRICS_WRITTEN >> shift & METRICS_WHOLE;
        risen |= (now > written ? now : written) << shift;
    }
    return risen;
}

static bool enables(struct test *t)
{
    u64 both = SLOTS_ON | GLOBAL_METRICS, moved;
    check_metrics(t, "moves-without-enable", without_falls(metrics_after(t, COUNT_OS, SLOTS_ON)), METRICS_WRITTEN);
    check_metrics(t, "moves-at-other-cpl", metrics_after(t, COUNT_USR, both), METRICS_WRITTEN);
    measure(t, "moved-without-slots", "0-or-1", !metrics_near(metrics_after(t, 0, GLOBAL_METRICS), METRICS_WRITTEN));
    moved = metrics_after(t, COUNT_OS, both);
    check_true(t, "stands", !metrics_near(moved, METRICS_WRITTEN), moved, "a value of the block's own",
               MSR_PERF_METRICS);
    run_block(t, 0, METRICS_K);
    check_equal(t, "moves-while-stopped", read_msr(t, MSR_PERF_METRICS), moved, MSR_PERF_METRICS);
    return more_samples(t);
}

TEST("topdown.enables", .title = "PERF_METRICS moves with its enable bit and its counter alone",
     .spec = "SDM 3B, Performance Metrics", .covers = "A-081", .needs = {.version = 2, .fixed = true},
     .scope = EACH_CPU, .prepare = need_metrics, .repeat = enables, .measures = true);
