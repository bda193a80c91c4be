/*
 * PERF_METRICS says how the slots that fixed counter 3 has counted were spent, so who puts the counter to a new
 * value starts a new division: writing it, be it with 0, clears PERF_METRICS. That is why software restores the counter
 * first and PERF_METRICS after it, which keeps what is written and leaves the counter alone. The other way round a
 * saved program gets its slots back without their division.
 *
 * Both are written while stopped, in each order. A field is kept but for 1, since hardware may keep it as a part of the
 * slots; whether all are kept as written is measured.
 */
#include "harness/topdown.h"

#define SLOTS 0x123456

static const struct {
    const char *label;
    u64 slots;
} writes[] = {
    {"kept-over-slots", SLOTS},
    {"kept-over-zero", 0},
};

static void write_order(struct test *t)
{
    struct counter slots = slots_counter(t);
    for_each_row (writes, row) {
        metrics_setup(t, 0, SLOTS, METRICS_WRITTEN);
        u64 kept = read_msr(t, MSR_PERF_METRICS);
        check_metrics(t, "not-kept", kept, METRICS_WRITTEN);
        measure(t, "kept-exactly", "0-or-1", kept == METRICS_WRITTEN);
        check_equal(t, "slots-changed", counter_read(slots), SLOTS, slots.msr);
        write_msr(t, slots.msr, row->slots);
        check_equal(t, row->label, read_msr(t, MSR_PERF_METRICS), 0, MSR_PERF_METRICS);
    }
}

TEST("topdown.write-order", .title = "Writing the counter of slots clears PERF_METRICS, which keeps what is written",
     .spec = "SDM 3B, Performance Metrics", .covers = "B-072", .needs = {.version = 2, .fixed = true},
     .scope = EACH_CPU, .prepare = need_metrics, .run = write_order, .measures = true);
