/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter is read in one piece, even while it counts. If a read took the two halves at different times while bit 31
 * carries into bit 32, it would return a value 2^32 too low or too high: programs that subtract two reads would see
 * billions of events that never happened.
 *
 * Each counter is started a little below 2^32 and read again and again while it passes it, by RDPMC and by RDMSR, with
 * a serializing instruction between two reads, since only then RDPMC is promised to be in order. No read is below the
 * previous one, and none is far above it. The carry falls between different reads in each turn; a first run from 0
 * shows how far a counter gets.
 */
#include "harness/test.h"

#define READS 22
#define PLACES 4 /* places of the carry in a turn */
#define STEPS 61 /* number of places; each turn begins at another one */
#define FAR BIT(31)
#define CLOSEST (BIT(32) - 4) /* written with bits 31:1 all ones, a fixed counter may hold another value (BV36) */

static u64 by_rdpmc(struct counter c)
{
    u64 value = 0;
    rdpmc_try(c.rdpmc, &value); /* that it answers is tested elsewhere */
    return value;
}

static const struct {
    const char *back, *ahead;
    u64 (*read)(struct counter c);
} ways[] = {{"rdpmc-back", "rdpmc-ahead", by_rdpmc}, {"rdmsr-back", "rdmsr-ahead", counter_read}};

static unsigned crossing_counters(const struct test *t, struct counter list[COUNTERS_MAX])
{
    unsigned n = 0;
    for_each_counter (t, c)
        if (c->width > 32 && (c->fixed || t->caps->full_width))
            list[n++] = *c;
    return n;
}

/* Reads the counter repeatedly, by the given way, starting from `first`; returns what it has counted. */
static u64 count_from(struct test *t, struct counter c, unsigned way, u64 first)
{
    u64 last = first, back = 0, ahead = 0;
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, first);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
    for (unsigned i = 0; i < READS; i++) {
        cpuid(0, 0);
        u64 value = ways[way].read(c);
        if (value < last)
            back = value;
        else if (value - last >= FAR)
            ahead = value;
        else
            last = value;
    }
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    check_true(t, ways[way].back, !back, back, "no value below the previous one", c.msr);
    check_true(t, ways[way].ahead, !ahead, ahead, "no value 2^31 above the previous one", c.msr);
    counter_clear(c);
    return last - first;
}

static bool one_counter(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = crossing_counters(t, list);
    struct counter c = list[t->turn % n];
    for (unsigned way = 0; way < ARRAY_SIZE(ways); way++) {
        u64 all = count_from(t, c, way, 0);
        for (unsigned place = 0; place < PLACES; place++)
            count_from(t, c, way, CLOSEST - all * ((t->turn + place * STEPS / PLACES) % STEPS) / STEPS);
    }
    return more_samples_of(t, n);
}

static void need_crossing(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    if (!crossing_counters(t, list))
        skip(t, "IA32_PERF_CAPABILITIES=0x%lx, no fixed counters: no counter can be set below 2^32",
             t->caps->perf_capabilities);
}

TEST("rdpmc.carry", .title = "A running counter is read in one piece across bit 32",
     .spec = "SDM 2B, RDPMC-Read Performance-Monitoring Counters", .covers = "A-061,A-099,B-071",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .prepare = need_crossing, .repeat = one_counter);
