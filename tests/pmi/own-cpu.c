/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A PMI goes to the CPU whose counter overflowed, and to no other. One CPU after the other causes an overflow while all
 * have LVTPC unmasked and interrupts on.
 */
#include "harness/test.h"

#define TURNS_MOST 16 /* with more CPUs only the first ones */

static void turn(struct test *t, bool mine)
{
    pmi_listen(PMI_FIXED, PMI_ACK);
    barrier(t);
    if (mine) {
        provoke_overflow(t, gp_counter(t->caps, 0), COUNT_OS | COUNT_INT);
        pmi_wait(1);
        settle();
    }
    barrier(t);
    check_only_here(t, mine);
}

static void own_cpu(struct test *t)
{
    for (u32 position = 0; position < t->cpus && position < TURNS_MOST; position++)
        turn(t, position == t->position);
}

TEST("pmi.own-cpu", .title = "A PMI is delivered only on the CPU whose counter overflowed",
     .spec = "SDM 3A, Local Vector Table", .covers = "B-052",
     .needs = {.version = 2, .event = 2, .apic = true, .cpus = 2}, .scope = ALL_TOGETHER, .run = own_cpu);
