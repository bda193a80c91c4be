/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CTR_FRZ in IA32_PERF_GLOBAL_STATUS stops the counter that PERF_METRICS divides, like any other. When it is cleared,
 * both continue. No document says whether PERF_METRICS stops as well, so that a handler reads both as of the same
 * moment: that is measured.
 *
 * CTR_FRZ is set by software, so that the moment is known; that a PMI sets it is tested in the chapter freeze.
 */
#include "harness/chapter/topdown.h"

#define TURNS 200 /* of the loop: enough for any fraction to be seen */

static bool freeze(struct test *t)
{
    struct counter slots = slots_counter(t);
    metrics_setup(t, COUNT_OS, 0, METRICS_WRITTEN);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, SLOTS_ON | GLOBAL_METRICS);
    spin(TURNS);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
    u64 metrics = read_msr(t, MSR_PERF_METRICS), counted = counter_read(slots);
    spin(TURNS);
    measure(t, "moved-while-frozen", "0-or-1", read_msr(t, MSR_PERF_METRICS) != metrics);
    check_equal(t, "slots-move", counter_read(slots), counted, slots.msr);
    write_msr(t, slots.msr, METRICS_SLOTS);
    write_msr(t, MSR_PERF_METRICS, METRICS_WRITTEN);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ);
    spin(TURNS);
    metrics = read_msr(t, MSR_PERF_METRICS);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    check_true(t, "stands", !metrics_near(metrics, METRICS_WRITTEN), metrics, "the loop's own value", MSR_PERF_METRICS);
    return more_samples(t);
}

TEST("topdown.freeze",
     .title = "The counter of slots stops while counters are frozen, and PERF_METRICS continues with it",
     .spec = "SDM 3B, Freezing LBR and Performance Counters on PMI", .covers = "B-072",
     .needs = {.version = 4, .fixed = true, .metrics = true}, .scope = EACH_CPU, .repeat = freeze, .measures = true);
