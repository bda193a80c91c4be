/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A second unit mask is part of the selection of an event, if CPUID.23H.0:EBX[0] says that event selects have one. On
 * Lion Cove, by Intel's event list, event C4H counts conditional branches with a unit mask of 11H and a second one of
 * 01H, and no other branches. Other event lists say which events other cores have with a second mask: here the effect
 * of a second mask on the event of retired instructions is measured. With the second mask back at 0 the event counts as
 * before.
 */
#include "harness/test.h"

#define MEASURED_K 100

static void need_second_mask(struct test *t)
{
    if (!(t->caps->leaf23_features & LEAF23_UMASK2))
        skip(t, "CPUID.23H.0:EBX=0x%x: bit 0 is clear or does not exist, no second unit mask",
             t->caps->leaf23_features);
}

static void known_event(struct test *t, const struct counter *list, unsigned n, u64 event)
{
    for_each_row (conditional_blocks, row) {
        select_event(t, list, n, event | EVTSEL_OS);
        check_counted(t, "conditional", workload(row->block), list, n, row->each);
    }
}

static void unknown_event(struct test *t, struct counter c)
{
    select_event(t, &c, 1, EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | EVTSEL_UMASK2(0x01) | EVTSEL_OS);
    run_block(t, BIT(c.bit), MEASURED_K);
    measure(t, "instructions-with-01", "events", counter_read(c));
}

static void second_mask(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    need_second_mask(t);
    unsigned n = gp_counters(t, list);
    u64 event = class_conditional_branches(cpu_class(t->caps));
    if (event & EVTSEL_UMASK2(0xff))
        known_event(t, list, n, event);
    unknown_event(t, list[0]);
    select_event(t, list, n, EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | EVTSEL_OS);
    check_counted(t, "not-as-before", &workloads[0], list, n, workloads[0].instructions_per_k);
}

TEST("gp.second-mask", .title = "The second unit mask selects an event", .spec = "SDM 2A, CPUID-CPU Identification",
     .covers = "A-101", .needs = {.version = 5, .event = 2}, .scope = EACH_CPU, .run = second_mask, .measures = true);
