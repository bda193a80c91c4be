/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With IA32_PERFEVTSELn.IN_TX a counter counts only within transactions. Its block begins none, so it stands still.
 * With IN_TXCP, which only IA32_PERFEVTSEL2 has, a counter excludes what aborted transactions counted: outside
 * transactions it counts as without the bit. Judged is the difference between a short and a long run.
 *
 * Microcode that removed transactions may have left the bits without effect: CPUID.07H shows that.
 */
#include "harness/test.h"

#define TXCP_COUNTER 2

static void select_with(struct test *t, const struct counter *list, unsigned n, u64 bit)
{
    for (unsigned i = 0; i < n; i++)
        write_msr(t, MSR_PERFEVTSEL(list[i].index),
                  EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | EVTSEL_OS | EVTSEL_EN | bit);
}

static void transactions(struct test *t)
{
    const struct workload *w = &workloads[0];
    struct counter list[COUNTERS_MAX], checkpointed = gp_counter(t->caps, TXCP_COUNTER);
    unsigned n = gp_counters(t, list);
    select_with(t, list, n, EVTSEL_IN_TX);
    check_counted(t, "outside-counted", w, list, n, 0);
    if (caps_gp_bits(t->caps) & BIT(TXCP_COUNTER)) {
        select_with(t, list, n, 0);
        select_with(t, &checkpointed, 1, EVTSEL_IN_TXCP);
        check_counted(t, "outside-lost", w, &checkpointed, 1, w->instructions_per_k);
    }
}

TEST("gp.transactions", .title = "Outside transactions a counter with IN_TX counts nothing, with IN_TXCP everything",
     .spec = "SDM 3B, Performance Monitoring and Intel TSX", .covers = "A-092,B-073",
     .needs = {.version = 2, .event = 2, .transactions = true}, .scope = EACH_CPU, .run = transactions);
