/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * While the task priority is not below the priority class of its vector, a fixed PMI waits in the interrupt request
 * register of the local APIC; it is delivered once the priority is lowered.
 */
#include "harness/test.h"

#define SAME_CLASS (VECTOR_PMI & 0xf0)

/* Writes of x2APIC registers are not serialising: the fence makes the new priority take effect. */
static void set_priority(u32 priority)
{
    apic_write(APIC_TPR, priority);
    mfence();
    lfence();
}

static bool hold_and_release(struct test *t)
{
    set_priority(SAME_CLASS);
    pmi_listen(PMI_FIXED, PMI_ACK);
    provoke_overflow(t, gp_counter(t->caps, 0), COUNT_OS | COUNT_INT);
    bool requested = wait_requested();
    settle();
    u32 early = pmi_log()->count;
    set_priority(0);
    bool came = pmi_came();
    check_equal(t, "delivered-while-held", early, 0, 0);
    check_true(t, "not-requested", requested, early, "a PMI that waits", 0);
    check_true(t, "lost", came, pmi_log()->count, "the PMI once the priority is lowered", 0);
    pmi_close();
    return true;
}

TEST("pmi.held-by-tpr", .title = "A fixed PMI waits while the task priority is not below its class",
     .spec = "SDM 3A, Interrupt, Task, and Processor Priority", .covers = "B-045",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = hold_and_release);
