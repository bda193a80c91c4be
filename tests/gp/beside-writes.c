/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters are independent: a write to one counter's control or value does not affect the counters that run beside it.
 * All of them are on for CPL 3, each with a different value; at CPL 0, where none counts, one after the other is
 * stopped, written and programmed anew. The others must keep their values.
 *
 * Operating systems write the counter of one program while counters of others run.
 */
#include "harness/test.h"

#define HELD(c) (0x1000000 + 0x10000 * (u64)(c)->bit)
#define WRITTEN 0x5a5a5a5

static bool one_counter(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = counters(t->caps, list);
    struct counter written = list[t->turn % n];
    for_each_counter (t, c)
        counter_setup(*c, ARCH_EVENT_INSTRUCTIONS, COUNT_USR, HELD(c));
    write_msr(t, MSR_PERF_GLOBAL_CTRL, caps_counter_bits(t->caps) & ~BIT(written.bit));
    counter_setup(written, ARCH_EVENT_BRANCHES, COUNT_OS, WRITTEN);
    counter_clear(written);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    for_each_counter (t, c)
        if (c->bit != written.bit)
            check_equal(t, "disturbed", counter_read(*c), HELD(c), c->msr);
    for_each_counter (t, c)
        counter_clear(*c);
    return more_samples_of(t, n);
}

TEST("gp.beside-writes", .title = "Writing one counter's registers does not affect running counters",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "B-061",
     .needs = {.version = 2, .event = 2, .counters = 2}, .scope = EACH_CPU, .repeat = one_counter);
