/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With IA32_PERFEVTSELn.EDGE and a counter mask of 1 a counter counts how often the event begins to occur, not the
 * cycles in which it does. A load that misses all caches and that the following code waits for makes a gap in which no
 * instruction retires, and a rise after it, as do pauses: more gaps, more rises, counted at CPL 0 alone or at every
 * level.
 *
 * Judged is that many gaps add at least half as many rises as a few have less; how many rises there are besides is
 * measured, as cores retire unevenly anyway.
 */
#include "harness/test.h"

#define FEW 8
#define MANY 72

static void make_gaps(unsigned n)
{
    static volatile u64 line[8] __attribute__((aligned(64)));
    for (unsigned i = 0; i < n; i++) {
        flush_line((void *)line);
        (void)line[0];
        lfence();
        cpu_pause();
        cpu_pause();
    }
}

static u64 rises(struct test *t, struct counter c, u64 levels, unsigned gaps)
{
    write_msr(t, MSR_PERFEVTSEL(c.index), 0);
    write_msr(t, c.msr, 0);
    write_msr(t, MSR_PERFEVTSEL(c.index),
              EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | EVTSEL_EDGE | EVTSEL_CMASK(1) | EVTSEL_EN | levels);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
    make_gaps(gaps);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    return counter_read(c);
}

static bool one_counter(struct test *t)
{
    struct counter c = gp_in_turn(t, t->turn);
    make_gaps(FEW);
    u64 levels = EVTSEL_OS | (t->turn / t->caps->gp_count % 2 ? EVTSEL_USR : 0);
    u64 few = rises(t, c, levels, FEW), many = rises(t, c, levels, MANY);
    measure(t, "of-64-gaps", "rises", many > few ? many - few : 0);
    check_true(t, "edges-lost", many >= few + (MANY - FEW) / 2, many, "more rises, as there are more gaps", c.msr);
    counter_clear(c);
    return more_samples_of(t, 2 * t->caps->gp_count);
}

TEST("gp.edges", .title = "With EDGE a counter counts each rise of its condition",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-058",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .repeat = one_counter, .measures = true);
