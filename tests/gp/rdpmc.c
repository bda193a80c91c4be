/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RDPMC of index n reads what RDMSR of IA32_PMCn reads, in all its bits, while the counter is stopped. Programs that
 * measure themselves use RDPMC, while the software that set up the counter used RDMSR: both must see the same counter.
 */
#include "harness/test.h"

#define K 4

static void compare(struct test *t)
{
    for_each_gp_counter (t, n)
        check_rdpmc(t, RDPMC_GP(n), MSR_PMC(n));
}

static void rdpmc(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    for_each_gp_counter (t, n)
        write_msr(t, MSR_PMC(n), counter_mask(31) - n);
    compare(t);
    for_each_gp_counter (t, n)
        write_msr(t, MSR_PMC(n), 0xffff0000 + n);
    compare(t);
    setup_counters(list, gp_counters(t, list), ARCH_EVENT_INSTRUCTIONS, COUNT_OS);
    run_block(t, caps_gp_bits(t->caps), K);
    compare(t);
}

TEST("gp.rdpmc", .title = "RDPMC and RDMSR read the same GP counter",
     .spec = "SDM 2B, RDPMC-Read Performance-Monitoring Counters", .needs = {.version = 2, .event = 2},
     .scope = EACH_CPU, .run = rdpmc);
