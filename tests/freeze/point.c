/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Do the counters freeze when the PMI is raised or when it is delivered? With interrupts off the delivery waits, and
 * the count of a second counter after the overflow shows which it is. The same is done with LVTPC masked, so that
 * nothing is delivered at all. No manual answers this, so it is measured. (If they freeze when it is raised, a sampling
 * counter makes all others lose what runs with interrupts off.)
 *
 * Judged is that the PMI comes once interrupts are on.
 */
#include "harness/test.h"

#define K 20

/* A second counter, which shows how much is still counted. */
static struct counter witness_of(const struct test *t)
{
    return t->caps->gp_count > 1 ? gp_counter(t->caps, caps_gp_index(t->caps, 1)) : fixed_counter(t->caps, 0);
}

/* The second counter's count until everything was stopped, with the first counter's overflow in between. */
static u64 count_past_overflow(struct test *t)
{
    struct counter c = gp_counter(t->caps, 0), witness = witness_of(t);
    counter_setup(witness, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, 0);
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_INT, counter_preset(c, PROVOKE_EVENTS));
    run_block(t, BIT(c.bit) | BIT(witness.bit), K);
    return counter_read(witness);
}

static void while_masked(struct test *t)
{
    pmi_open(PMI_FIXED, PMI_ACK);
    apic_write(APIC_LVT_PC, apic_read(APIC_LVT_PC) | LVT_MASKED);
    measure(t, "counted-masked", "instructions", count_past_overflow(t));
    settle();
    measure(t, "ctr-frz-masked", "bits", read_msr(t, MSR_PERF_GLOBAL_STATUS) / STATUS_CTR_FRZ & 1);
    pmu_status_clear(STATUS_CTR_FRZ | caps_counter_bits(t->caps));
    pmi_close();
}

static bool hold_back(struct test *t)
{
    u64 found = freeze_begin(DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    pmi_open(PMI_FIXED, PMI_ACK);
    measure(t, "counted-if-0", "instructions", count_past_overflow(t));
    settle();
    measure(t, "ctr-frz-if-0", "bits", read_msr(t, MSR_PERF_GLOBAL_STATUS) / STATUS_CTR_FRZ & 1);
    interrupts_on();
    check_delivered(t, MSR_PMC(0));
    pmu_status_clear(STATUS_CTR_FRZ | caps_counter_bits(t->caps));
    pmi_close();
    while_masked(t);
    freeze_end(found);
    return more_samples(t);
}

TEST("freeze.point", .title = "Counters freeze when the PMI is raised, or when it is delivered",
     .spec = "SDM 3B, Freezing LBR and Performance Counters on PMI", .covers = "B-033,B-035",
     .needs = {.version = 4, .event = 2, .apic = true, .counters = 2}, .scope = EACH_CPU, .prepare = need_freeze,
     .repeat = hold_back, .measures = true);
