/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter with USR set and OS clear counts every instruction at CPL 3, from the first one after the change of ring
 * on. On some CPUs a GP counter misses events for a brief period around the change (BDM120, SKL117), so all other tests
 * judge only what is counted long after it.
 *
 * Whether the IRET that leads to CPL 3 and the instruction that leaves it count there differs between CPUs: judged is
 * only that there are no fewer than the block itself has.
 */
#include "harness/chapter/probing.h"

#define K 400      /* iterations, of five instructions at least */
#define COUNTERS 4 /* PMC4 and above count nothing at CPL 3 on some CPUs (BDM126) */

static bool ring_entry(struct test *t)
{
    struct counter c = gp_counter(t->caps, caps_gp_index(t->caps, t->turn % COUNTERS));
    struct switch_write start_stop = counters_switch(t->caps, BIT(c.bit));
    u64 least = workload_instructions(&workloads[0], K);
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_USR, 0);
    workloads[0].run_user(&start_stop, K);
    u64 count = counter_read(c);
    counter_clear(c);
    check_range(about(t, ASPECT_RING_ENTRY | ASPECT_INSTRUCTIONS | ASPECT_LONG_COUNT), "missed", count, least, ~0ull,
                c.msr);
    measure(t, "more-than-the-block", "instructions", count > least ? count - least : 0);
    return more_samples_of(t, COUNTERS);
}

TEST("errata.ring-entry", .title = "Counters of CPL 3 count from its first instruction on",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "A-095",
     .needs = {.version = 2, .event = 2, .told = 1 + FACT_RING_ENTRY}, .scope = EACH_CPU, .repeat = ring_entry,
     .measures = true);
