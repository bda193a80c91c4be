/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The PMI of a full region goes to the CPU that traces, and to no other. One CPU after the other fills a region while
 * all have LVTPC unmasked and interrupts on.
 */
#include "harness/chapter/tracing.h"

#define TURNS_MOST 16 /* with more CPUs only the first ones */

static void turn(struct test *t, bool mine)
{
    tracing_begin(t, TOPA_INT, 0);
    pmi_listen(PMI_FIXED, PMI_STOP | PMI_UNMASK);
    barrier(t);
    if (mine) {
        trace_until(TRACE_REGION_BYTES);
        settle();
    }
    barrier(t);
    check_only_here(t, mine);
    tracing_end(t);
}

static void own_cpu(struct test *t)
{
    for (u32 position = 0; position < t->cpus && position < TURNS_MOST; position++)
        turn(t, position == t->position);
}

TEST("trace.own-cpu", .title = "The PMI of a trace is delivered only on the CPU that traces",
     .spec = "SDM 3C, Table of Physical Addresses (ToPA)", .needs = {.version = 2, .apic = true, .cpus = 2},
     .scope = ALL_TOGETHER, .prepare = need_trace, .run = own_cpu);
