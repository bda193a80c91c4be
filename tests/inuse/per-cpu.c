/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each logical CPU has its own IA32_PERF_GLOBAL_INUSE, like the registers that it follows: one CPU after the other
 * claims all its counters and the PMI, and no other CPU's register shows it.
 */
#include "harness/chapter/sharing.h"

#define TURNS_MOST 16 /* with more CPUs only the first ones */

static void claim(struct test *t, u64 evtsel, u64 field)
{
    u64 fixed = 0;
    for_each_gp_counter (t, n)
        write_msr(t, MSR_PERFEVTSEL(n), evtsel);
    for_each_fixed_counter (t, i)
        fixed |= field << 4 * i;
    write_msr(t, MSR_FIXED_CTR_CTRL, fixed);
}

static void turn(struct test *t, bool mine)
{
    if (mine)
        claim(t, EVTSEL_EVENT(0xc0) | EVTSEL_INT, FIXED_OS(0) | FIXED_USR(0));
    barrier(t);
    if (mine)
        check_bits(t, "own-claim", MSR_PERF_GLOBAL_INUSE, inuse_named_bits(t), inuse_named_bits(t));
    else
        check_bits(t, "others-claim", MSR_PERF_GLOBAL_INUSE, inuse_named_bits(t), 0);
    barrier(t);
    if (mine)
        claim(t, 0, 0);
}

static void per_cpu(struct test *t)
{
    for (u32 position = 0; position < t->cpus && position < TURNS_MOST; position++)
        turn(t, position == t->position);
}

TEST("inuse.per-cpu", .title = "Each logical CPU has its own INUSE",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-019",
     .needs = {.version = 4, .cpus = 2}, .scope = ALL_TOGETHER, .run = per_cpu);
