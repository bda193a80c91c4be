/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A PMI with fixed delivery is a maskable interrupt: while RFLAGS.IF is 0 it waits in the local APIC's interrupt
 * request register, and it is delivered once interrupts are on again.
 */
#include "harness/test.h"

static bool hold_and_release(struct test *t)
{
    pmi_open(PMI_FIXED, PMI_ACK);
    provoke_overflow(t, gp_counter(t->caps, 0), COUNT_OS | COUNT_INT);
    bool requested = wait_requested();
    settle();
    check_equal(t, "delivered-while-off", pmi_log()->count, 0, 0);
    check_true(t, "not-requested", requested, pmi_log()->count, "a PMI that waits", 0);
    interrupts_on();
    bool came = pmi_came();
    check_true(t, "lost", came, pmi_log()->count, "the PMI once IF is set", 0);
    pmi_close();
    return true;
}

TEST("pmi.held-by-if", .title = "A fixed PMI waits while interrupts are off",
     .spec = "SDM 3A, Interrupt, Task, and Processor Priority", .covers = "B-044",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = hold_and_release);
