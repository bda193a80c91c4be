/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When the counter with the same number overflows at the same time on all CPUs, including the threads of each core,
 * each CPU gets a PMI and the bit in its own IA32_PERF_GLOBAL_STATUS. Overflows of other CPUs do not affect it: a CPU
 * whose counter stands still meanwhile gets no bit and no PMI. Threads of a core share the circuits that add and
 * compare, so if anything crosses over, it is most likely between counters of equal number.
 *
 * In turn every second CPU's counter stands still, then those of the others, then none.
 */
#include "harness/test.h"

#define ROUNDS 30
#define KINDS 3

static bool stands_still(const struct test *t, u32 round)
{
    return round % KINDS < 2 && t->position % 2 == round % KINDS;
}

static void one_round(struct test *t, u32 round)
{
    struct counter c = gp_counter(t->caps, round / KINDS % t->caps->gp_count);
    bool still = stands_still(t, round);
    u64 bit = BIT(c.bit);
    pmi_listen(PMI_FIXED, still ? PMI_STOP : PMI_ACK); /* on CPUs that stand still an overflow must stay visible */
    if (still)
        counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_INT, counter_preset(c, 1));
    barrier(t);
    if (!still) {
        provoke_overflow(t, c, COUNT_OS | COUNT_INT);
        if (check_delivered(t, c.msr))
            check_equal(t, "wrong-status", pmi_log()->record[0].status & caps_counter_bits(t->caps), bit,
                        MSR_PERF_GLOBAL_STATUS);
    }
    barrier(t);
    if (still) {
        check_equal(t, "others-pmi", pmi_settled(), 0, c.msr);
        check_equal(t, "others-status", pmu_status() & bit, 0, MSR_PERF_GLOBAL_STATUS);
    }
    pmi_close();
    pmu_status_clear(bit);
    counter_clear(c);
}

static void same_counter(struct test *t)
{
    u32 repeats = budget().repeats;
    for (u32 round = 0; round < ROUNDS && round < KINDS * repeats; round++)
        one_round(t, round);
}

TEST("pmi.same-counter", .title = "Overflows of the same counter at once on all CPUs do not mix",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "B-052,B-070",
     .needs = {.version = 2, .event = 2, .apic = true, .cpus = 2}, .scope = ALL_TOGETHER, .run = same_counter);
