/*
 * An ESCR has bits for each thread of the core. With only those for the other thread set, a counter does not count what
 * this one executes: it stands far fewer loads below its end than the block has, the other thread sleeps, and OVF stays
 * clear. How far it moved all the same is measured.
 */
#include "harness/netburst.h"

#define PERIOD 512
#define ROUNDS 256 /* 2304 loads */

static bool one_run(struct test *t, void *turn)
{
    struct netburst_setup setup = netburst_setup_of(t, 0);
    struct sampled block;
    setup.pebs = false;
    setup.of_other = true;
    setup.period = PERIOD;
    netburst_sample(t, &setup, &block, ROUNDS);
    check_bit(t, "flag-by-other-thread", netburst_cccr(&setup), 31, false);
    measure(t, "counted-of-the-other", "loads", (read_msr(t, netburst_counter(&setup)) + PERIOD) & MASK(39, 0));
    write_msr(t, netburst_cccr(&setup), 0);
    return sampling_more(t, turn, 1);
}

static void other_thread(struct test *t)
{
    u32 turn = 0;
    if (t->caps->threads_per_core < 2)
        skip(t, "CPUID.1:EBX[23:16], CPUID.4:EAX[31:26]: %u threads a core, two are needed", t->caps->threads_per_core);
    repeat_clean(t, one_run, &turn);
}

TEST("netburst.other-thread", .title = "A counter of the other thread does not count this one",
     .spec = "SDM 3B, Performance Monitoring and Intel Hyper-Threading Technology",
     .needs = {.no_pmu = true, .netburst = true}, .scope = EACH_CPU_IN_TURN, .run = other_thread, .measures = true);
