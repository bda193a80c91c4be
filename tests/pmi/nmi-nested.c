/*
 * While an NMI is being handled further ones wait: one is remembered, and taken after the handler's IRET. A counter
 * that overflows inside the PMI's handler, after LVTPC has been unmasked again, thus gets its own PMI.
 *
 * A profiler whose handler overlaps the next overflow would otherwise wait for ever for the one after.
 */
#include "harness/provoke.h"
#include "kernel/cpus.h"

/* The hook runs in the handler and gets no argument: what it needs of each CPU. */
static struct {
    const struct test *test;
    bool done;
} nested[MAX_CPUS];

static void overflow_again(struct pmi_record *record)
{
    u32 cpu = cpu_index();
    (void)record;
    if (nested[cpu].done)
        return;
    nested[cpu].done = true;
    provoke_overflow(nested[cpu].test, gp_counter(pmu_caps(), 0), COUNT_OS | COUNT_INT);
    settle();
}

static bool overflow_in_handler(struct test *t, void *argument)
{
    (void)argument;
    nested[t->cpu].test = t;
    nested[t->cpu].done = false;
    pmi_open(PMI_NMI, PMI_ACK);
    pmi_hook(overflow_again);
    provoke_overflow(t, gp_counter(t->caps, 0), COUNT_OS | COUNT_INT);
    pmi_wait(2);
    check_range(t, "second-lost", pmi_log()->count, 2, PMI_STORM, MSR_PMC(0));
    pmi_close();
    return true;
}

static void nmi_nested(struct test *t)
{
    repeat_clean(t, overflow_in_handler, NULL);
}

TEST("pmi.nmi-nested", .title = "An overflow inside the NMI handler gets its own PMI afterwards",
     .spec = "SDM 3A, Nonmaskable Interrupt (NMI)", .covers = "B-043",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .run = nmi_nested);
