/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A far transfer is one instruction and one branch. A block at CPL 3 holds far returns to their own next instruction;
 * retired branches and instructions are counted. Some cores count such a branch twice (RPL55, MTL13), some
 * Atoms the instruction, too.
 */
#include "harness/chapter/probing.h"

PROBE_WORK(far_return);

static bool far_transfers(struct test *t)
{
    static const struct {
        enum erratum_fact_id fact;
        struct probe probe;
    } rows[] = {
        {FACT_FAR_BRANCHES,
         {"branches", ASPECT_FAR_BRANCHES | ASPECT_BRANCHES, far_return_work, ARCH_EVENT_BRANCHES,
          PROBE_LOOP_BRANCHES + 1}},
        {FACT_FAR_INSTRUCTIONS,
         {"instructions", ASPECT_FAR_INSTRUCTIONS | ASPECT_INSTRUCTIONS, far_return_work, ARCH_EVENT_INSTRUCTIONS,
          PROBE_LOOP + 4}},
    };
    for_each_row (rows, row)
        if (documented(t, row->fact))
            probe_work(t, &row->probe);
    return more_samples(t);
}

static void need_either(struct test *t)
{
    if (!documented(t, FACT_FAR_INSTRUCTIONS))
        need(t, &(struct needs){.told = 1 + FACT_FAR_BRANCHES});
}

TEST("errata.far-transfers", .title = "A far return is counted as one instruction and one branch",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "A-028",
     .needs = {.version = 2, .event = 6}, .scope = EACH_CPU, .prepare = need_either, .repeat = far_transfers);
