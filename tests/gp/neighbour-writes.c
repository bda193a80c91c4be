/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes of another thread to its own PMU registers have no effect on this one: while every second CPU repeatedly
 * programs, starts, stops and clears its counters, moves its debug store area, switches sampling on and off and selects
 * branches to record, the counters of the other CPUs count the instructions of a block exactly. Then the two halves
 * swap roles.
 *
 * Threads of a core share the hardware behind these registers; one tool's counts are worth nothing if another's
 * programming on the sibling shows in them.
 */
#include "harness/test.h"

#define BUSY_US 2000000 /* at most, on top of the time of a test: the counting CPU may have given up */
#define A_VALUE 0x1234560

static volatile bool done;

static void write_counters(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = counters(t->caps, list);
    setup_counters(list, n, ARCH_EVENT_BRANCHES, COUNT_OS | COUNT_USR);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, caps_counter_bits(t->caps));
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    for (unsigned i = 0; i < n; i++)
        counter_write(list[i], A_VALUE);
    pmu_status_clear(caps_counter_bits(t->caps));
    for (unsigned i = 0; i < n; i++)
        counter_clear(list[i]);
}

static void write_others(struct test *t)
{
    static const u32 flipped[] = {MSR_DEBUGCTL, MSR_LBR_SELECT};
    struct ds_area area;
    for_each_row (flipped, msr) {
        u64 may = gate_bits(t->caps, *msr) & (*msr == MSR_DEBUGCTL ? DEBUGCTL_FREEZE_PERFMON_ON_PMI : BIT(2));
        if (!may)
            continue;
        u64 before = read_msr(t, *msr);
        write_msr(t, *msr, before ^ may);
        write_msr(t, *msr, before);
    }
    if (ds_usable(t->caps) && ds_area_get(t->caps, 0, &area)) {
        u64 sampling = pebs_counter_bits(t->caps);
        write_msr(t, MSR_DS_AREA, (u64)area.management);
        if (sampling) {
            write_msr(t, MSR_PEBS_ENABLE, sampling & -sampling);
            write_msr(t, MSR_PEBS_ENABLE, 0);
        }
        write_msr(t, MSR_DS_AREA, 0);
    }
}

static void write_once(struct test *t)
{
    write_others(t);
    write_counters(t);
}

static void write_all_the_time(struct test *t)
{
    struct deadline deadline = deadline_us(BUSY_US + budget().us);
    while (!done && !deadline_passed(&deadline))
        write_once(t);
}

static void count(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    const struct workload *w = workload("plain");
    unsigned n = gp_counters(t, list);
    setup_counters(list, n, ARCH_EVENT_INSTRUCTIONS, COUNT_OS);
    check_counted(t, "disturbed", w, list, n, w->instructions_per_k);
}

static void neighbour_writes(struct test *t)
{
    for (u32 half = 0; half < 2; half++) {
        bool counts = t->position % 2 == half;
        done = false;
        if (!counts)
            write_once(t); /* the others may have counted before this CPU gets its turn */
        barrier(t);
        if (counts)
            count(t);
        else
            write_all_the_time(t);
        done = true;
        barrier(t);
    }
}

TEST("gp.neighbour-writes", .title = "Counts stay exact while every second CPU writes its PMU's registers",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 3", .covers = "B-070",
     .needs = {.version = 2, .event = 2, .cpus = 2}, .scope = ALL_TOGETHER, .run = neighbour_writes);
