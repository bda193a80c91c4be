/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Activity on other CPUs does not change a counter's count of its own thread's instructions. Errata say otherwise for
 * memory events (BJ122, BV98, HSD29), and the manual does not promise it explicitly, so it is measured: how often a
 * block's count differs while every second CPU waits, and while it loads and stores.
 *
 * Judged is that each counter counts.
 */
#include "harness/test.h"

#define SHORT_K 2
#define LONG_K 10
#define WORDS 64
#define BUSY_US 2000000 /* at most, on top of the time of a test: the counting CPU may have given up */

static volatile bool done;

static void load_and_store(u32 cpu)
{
    static PER_CPU u32 memory[WORDS];
    volatile u32 *own = of_cpu(memory, cpu);
    struct deadline deadline = deadline_us(BUSY_US + budget().us);
    for (u32 i = 0; !done && (i % WORDS || !deadline_passed(&deadline)); i++)
        own[i % WORDS] += own[i * 7 % WORDS];
}

static void count(struct test *t, const char *name)
{
    struct counter list[COUNTERS_MAX];
    struct slope slope[COUNTERS_MAX];
    unsigned n = gp_counters(t, list);
    setup_counters(list, n, ARCH_EVENT_INSTRUCTIONS, COUNT_OS);
    count_slope(t, workload("memory"), list, n, SHORT_K, LONG_K, false, slope);
    for (unsigned i = 0; i < n; i++) {
        check_true(t, "counts-nothing", slope[i].mode, slope[i].mode, "a count", list[i].msr);
        measure(t, name, "per-million", slope[i].outliers * 1000000ul / slope[i].clean);
    }
}

/* Half of the CPUs count, the others wait or are busy. */
static void phase(struct test *t, bool counting, bool busy)
{
    done = false;
    barrier(t);
    if (counting)
        count(t, busy ? "others-busy" : "others-wait");
    else if (busy)
        load_and_store(t->cpu);
    done = true;
    barrier(t);
}

static void neighbour_threads(struct test *t)
{
    for (u32 half = 0; half < 2; half++)
        for (u32 busy = 0; busy < 2; busy++)
            phase(t, t->position % 2 == half, busy);
}

TEST("gp.neighbour-threads", .title = "Counts of instructions while other CPUs are busy",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 3", .covers = "B-070",
     .needs = {.version = 2, .event = 2, .cpus = 2}, .scope = ALL_TOGETHER, .run = neighbour_threads, .measures = true);
