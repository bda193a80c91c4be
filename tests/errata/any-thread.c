/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With AnyThread a counter counts the instructions of its core's other threads beside those of its own, so never fewer
 * than a counter without it: both count the same block, in both rings and for CPL 0 alone. Sandy Bridge may count wrong
 * with it (BJ91), Broadwell if it is for one ring (BDD59).
 */
#include "harness/chapter/probing.h"

#define K 100
#define SLACK 16 /* instructions: counters may start one after the other, and some counts are inexact */

static const struct {
    const char *label;
    u64 rings, aspect;
} rows[] = {{"both-rings", EVTSEL_OS | EVTSEL_USR, ASPECT_ANY_THREAD}, {"one-ring", EVTSEL_OS, ASPECT_ANY_IN_RING}};

static void select_instructions(struct test *t, u32 n, u64 flags)
{
    write_msr(t, MSR_PERFEVTSEL(n), 0);
    write_msr(t, MSR_PMC(n), 0);
    write_msr(t, MSR_PERFEVTSEL(n), ARCH_EVENT_INSTRUCTIONS | flags | EVTSEL_EN);
}

static bool with_and_without(struct test *t)
{
    u32 other = caps_gp_index(t->caps, 1);
    for_each_row (rows, row) {
        select_instructions(t, 0, row->rings | EVTSEL_ANY);
        select_instructions(t, other, row->rings);
        run_block(t, GLOBAL_GP(0) | GLOBAL_GP(other), K);
        u64 any = read_msr(t, MSR_PMC(0)), own = read_msr(t, MSR_PMC(other));
        check_range(about(t, row->aspect | ASPECT_INSTRUCTIONS | ASPECT_LONG_COUNT), row->label, any,
                    own > SLACK ? own - SLACK : 0, ~0ull, MSR_PMC(0));
    }
    return more_samples(t);
}

static void need_any_thread(struct test *t)
{
    if (t->caps->anythread_deprecated || t->caps->gp_count < 2)
        skip(t, "CPUID.0AH:EAX=0x%08x, EDX=0x%08x: no AnyThread, or one counter", t->caps->leaf0a.eax,
             t->caps->leaf0a.edx);
    if (!documented(t, FACT_ANY_IN_RING))
        need(t, &(struct needs){.told = 1 + FACT_ANY_THREAD});
    if (wrmsr_try(MSR_PERFEVTSEL(0), ARCH_EVENT_INSTRUCTIONS | EVTSEL_ANY) != NO_FAULT)
        skip(t, "IA32_PERFEVTSEL0[21]=1 faults: no AnyThread");
}

TEST("errata.any-thread", .title = "With AnyThread no fewer instructions are counted than without",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 3", .covers = "B-064",
     .needs = {.version = 3, .event = 2}, .scope = EACH_CPU, .prepare = need_any_thread, .repeat = with_and_without);
