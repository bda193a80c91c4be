/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When the same counter of all CPUs overflows after the same short period, in step from a common start, each CPU gets a
 * PMI for each of its overflows, with the bit in its own IA32_PERF_GLOBAL_STATUS. The counters are loaded before the
 * CPUs meet, so that only the start of the counters comes between the barrier and the overflow. From round to round the
 * CPUs' periods differ by other small numbers of instructions, so that their PMIs pass each other; the counters and
 * the two deliveries take turns.
 *
 * Threads of a core share the circuits that request and deliver PMIs. A request that is dropped while another thread's
 * is on its way loses samples only under load of all threads, where nobody looks for it.
 */
#include "harness/test.h"

#define PERIOD 128 /* some CPUs need so many */
#define APART 16   /* periods differ by less than this */
#define K 20       /* 246 instructions: at least 64 come after the overflow */
#define ROUNDS_MOST 240

static u64 period(const struct test *t, u32 round)
{
    return (PERIOD + round * t->position % APART) * budget().stretch;
}

static void one_round(struct test *t, u32 round)
{
    struct counter c = gp_in_turn(t, round / 2);
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_INT, counter_preset(c, period(t, round)));
    pmi_listen(round % 2 ? PMI_NMI : PMI_FIXED, PMI_ACK);
    barrier(t);
    run_block(t, BIT(c.bit), K * budget().stretch);
    if (check_delivered(t, c.msr))
        check_equal(t, "wrong-status", pmi_log()->record[0].status & caps_counter_bits(t->caps), BIT(c.bit),
                    MSR_PERF_GLOBAL_STATUS);
    pmi_close();
    pmu_status_clear(BIT(c.bit));
    counter_clear(c);
}

static void in_step(struct test *t)
{
    u32 repeats = budget().repeats;
    for (u32 round = 0; round < ROUNDS_MOST && round < 2 * repeats; round++)
        one_round(t, round);
}

TEST("pmi.in-step", .title = "PMIs in step on all CPUs: none is lost to another CPU's",
     .spec = "SDM 3A, Local Vector Table", .covers = "B-052,B-098",
     .needs = {.version = 2, .event = 2, .apic = true, .cpus = 2}, .scope = ALL_TOGETHER, .run = in_step);
