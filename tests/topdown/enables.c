/*
 * PERF_METRICS is kept while bit 48 of IA32_PERF_GLOBAL_CTRL is set and fixed counter 3 counts: written to a value that
 * no block of this image comes to, it moves. Once both are stopped it reads the same for as long as nobody writes.
 *
 * With either of them alone, or with the counter at another privilege level, no document tells what it does, and no
 * driver uses it so: there it is measured whether it moves. Without bit 48 fields may fall in any case, for the counter
 * that divides them goes on: only one that rises counts.
 */
#include "harness/chapter/topdown.h"
#include "harness/samples.h"

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
    check_true(t, "stands", !metrics_near(moved, METRICS_WRITTEN), moved, "a value of the block's own",
               MSR_PERF_METRICS);
    run_block(t, 0, METRICS_K);
    check_equal(t, "moves-while-stopped", read_msr(t, MSR_PERF_METRICS), moved, MSR_PERF_METRICS);
    return more_samples(t);
}

TEST("topdown.enables", .title = "PERF_METRICS moves with its enable bit and its counter, and stands when stopped",
     .spec = "SDM 3B, Performance Metrics", .covers = "A-081", .needs = {.version = 2, .fixed = true},
     .scope = EACH_CPU, .prepare = need_metrics, .repeat = enables, .measures = true);
