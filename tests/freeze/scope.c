/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Freezing concerns one logical CPU: IA32_PERF_GLOBAL_STATUS is its own. One CPU after the other freezes its counters
 * while the others count; the others must neither show CTR_FRZ nor stop.
 */
#include "harness/test.h"

#define TURNS_MOST 16 /* with more CPUs only the first ones */

static void turn(struct test *t, bool mine, u64 mask)
{
    if (mine)
        write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
    barrier(t);
    if (mine) {
        check_bit(about(t, ASPECT_FREEZE), "ctr-frz-not-set", MSR_PERF_GLOBAL_STATUS, STATUS_CTR_FRZ, true);
    } else {
        check_bit(about(t, ASPECT_FREEZE), "ctr-frz-elsewhere", MSR_PERF_GLOBAL_STATUS, STATUS_CTR_FRZ, false);
        write_msr(t, MSR_PERF_GLOBAL_CTRL, mask);
        check_moving(t, "stopped-elsewhere");
        write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    }
    barrier(t);
    if (mine)
        write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ);
}

static void scope(struct test *t)
{
    u64 mask = setup_all(t, NULL);
    for (u32 position = 0; position < t->cpus && position < TURNS_MOST; position++)
        turn(t, position == t->position, mask);
}

TEST("freeze.scope", .title = "A freeze stops the counters of one logical CPU only",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-034",
     .needs = {.version = 4, .event = 2, .cpus = 2}, .scope = ALL_TOGETHER, .run = scope);
