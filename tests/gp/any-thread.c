/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With AnyThread set a counter counts what all threads of its core do, if the bit exists (versions 3 and 4, unless
 * CPUID says that it is deprecated). On some CPUs it has no effect, on some it faults, and the work of siblings is not
 * known: so the core cycles with and without it, for one block on all CPUs at once, are only measured.
 *
 * Judged is that the counter counts without it.
 */
#include "harness/test.h"

#define K 10

static u64 cycles_with(struct test *t, u64 flags, fault_t *fault)
{
    write_msr(t, MSR_PERFEVTSEL(0), 0);
    write_msr(t, MSR_PMC(0), 0);
    *fault = wrmsr_try(MSR_PERFEVTSEL(0),
                       EVTSEL_ENCODING(ARCH_EVENT_CORE_CYCLES) | EVTSEL_OS | EVTSEL_USR | EVTSEL_EN | flags);
    run_block(t, GLOBAL_GP(0), K);
    return read_msr(t, MSR_PMC(0));
}

static bool with_and_without(struct test *t)
{
    fault_t fault;
    u64 own = cycles_with(t, 0, &fault);
    check_true(t, "no-count", own, own, "a count", MSR_PMC(0));
    measure(t, "own", "cycles", own);
    u64 any = cycles_with(t, EVTSEL_ANY, &fault);
    measure(t, "faults", "writes", fault != NO_FAULT);
    if (!fault)
        measure(t, "any-thread", "cycles", any);
    return more_samples(t);
}

static void need_any_thread(struct test *t)
{
    if (t->caps->version < 3 || t->caps->anythread_deprecated)
        skip(t, "CPUID.0AH:EAX=0x%08x, EDX=0x%08x: no AnyThread", t->caps->leaf0a.eax, t->caps->leaf0a.edx);
}

TEST("gp.any-thread", .title = "Core cycles with AnyThread and without",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 3", .covers = "A-011,B-064",
     .needs = {.version = 3, .event = 1}, .scope = EACH_CPU, .prepare = need_any_thread, .repeat = with_and_without,
     .measures = true);
