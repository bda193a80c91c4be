/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * While an NMI is being handled the CPU remembers one further NMI. Two counters overflow, one after the other, inside
 * the handler of a first PMI, with LVTPC unmasked in between: at least one PMI follows, and how many follow is measured
 * (one, if only one NMI is remembered).
 */
#include "harness/test.h"

static struct {
    const struct test *test;
    bool done;
} latch[MAX_CPUS];

static void overflow_twice(struct pmi_record *record)
{
    u32 cpu = cpu_index();
    (void)record;
    if (latch[cpu].done)
        return;
    latch[cpu].done = true;
    for (unsigned i = 0; i < 2; i++) {
        pmu_status_clear(STATUS_GP(0));
        apic_write(APIC_LVT_PC, apic_read(APIC_LVT_PC) & ~(u32)LVT_MASKED);
        provoke_overflow(latch[cpu].test, gp_counter(pmu_caps(), 0), COUNT_OS | COUNT_INT);
        settle();
    }
}

static bool overflow_in_handler(struct test *t)
{
    latch[t->cpu].test = t;
    latch[t->cpu].done = false;
    pmi_open(PMI_NMI, PMI_ACK);
    pmi_hook(overflow_twice);
    provoke_overflow(t, gp_counter(t->caps, 0), COUNT_OS | COUNT_INT);
    pmi_wait(2);
    settle();
    check_range(t, "none-followed", pmi_log()->count, 2, PMI_STORM, MSR_PMC(0));
    measure(t, "followed", "pmis", pmi_log()->count - 1);
    pmi_close();
    return more_samples(t);
}

TEST("pmi.nmi-latch", .title = "Of two overflows inside the NMI handler at least one is remembered",
     .spec = "SDM 3A, Nonmaskable Interrupt (NMI)", .covers = "B-043",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = overflow_in_handler,
     .measures = true);
