/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When the counters of all CPUs overflow at the same time, each CPU gets a PMI, with its own overflow in its own
 * IA32_PERF_GLOBAL_STATUS. Neighbouring CPUs use different counters, so that a mix-up shows.
 */
#include "harness/test.h"

#define ROUNDS 20

static void all_at_once(struct test *t)
{
    struct counter c = gp_in_turn(t, t->position);
    pmi_listen(PMI_FIXED, PMI_ACK);
    barrier(t);
    provoke_overflow(t, c, COUNT_OS | COUNT_INT);
    if (check_delivered(t, 0))
        check_equal(t, "wrong-status", pmi_log()->record[0].status & caps_counter_bits(t->caps), BIT(c.bit),
                    MSR_PERF_GLOBAL_STATUS);
    pmi_close();
}

static void all_cpus(struct test *t)
{
    u32 repeats = budget().repeats;
    for (u32 round = 0; round < ROUNDS && round < repeats; round++)
        all_at_once(t);
}

TEST("pmi.all-cpus", .title = "If all CPUs overflow at once, each gets its PMI", .spec = "SDM 3A, Local Vector Table",
     .covers = "B-052", .needs = {.version = 2, .event = 2, .apic = true, .cpus = 2}, .scope = ALL_TOGETHER,
     .run = all_cpus);
