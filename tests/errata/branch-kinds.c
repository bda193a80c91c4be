/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From Sandy Bridge to Comet Lake the event of retired branches tells kinds of them apart by its unit mask: far ones,
 * near ones that are taken, and those that are not. Blocks at CPL 3 hold a known number of each. Far ones may be
 * counted wrong on Broadwell's second thread (BDD101), near ones too often on Sandy Bridge (BJ90).
 */
#include "harness/chapter/probing.h"

#define BRANCHES(umask) (EVTSEL_EVENT(0xc4) | EVTSEL_UMASK(umask))

PROBE_WORK(far_return);
PROBE_WORK(not_taken);

/* The loop has a jump that is taken, and one that is not. */
static const struct {
    enum erratum_fact_id fact;
    struct probe probe;
} kinds[] = {
    {FACT_FAR_KIND, {"far", ASPECT_FAR_KIND, far_return_work, BRANCHES(0x40), 1}},
    {FACT_NEAR_KINDS, {"not-taken", ASPECT_NEAR_KINDS, not_taken_work, BRANCHES(0x10), 2}},
    {FACT_NEAR_KINDS, {"near-taken", ASPECT_NEAR_KINDS, not_taken_work, BRANCHES(0x20), 1}},
};

static bool branch_kinds(struct test *t)
{
    for_each_row (kinds, kind)
        if (documented(t, kind->fact))
            probe_work(t, &kind->probe);
    return more_samples(t);
}

static void need_kinds(struct test *t)
{
    enum cpu_class class = cpu_class(t->caps);
    if (class < CLASS_SANDY_BRIDGE || class > CLASS_SKYLAKE)
        skip(t, "class=%s: no event list has these unit masks", class_name(class));
    if (!documented(t, FACT_FAR_KIND))
        need(t, &(struct needs){.told = 1 + FACT_NEAR_KINDS});
}

TEST("errata.branch-kinds", .title = "The events of kinds of branches count each of their kind",
     .spec = "SDM 3B, Performance Monitoring Events", .covers = "A-028", .needs = {.version = 2, .event = 6},
     .scope = EACH_CPU, .prepare = need_kinds, .repeat = branch_kinds);
