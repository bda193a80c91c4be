/*
 * A far transfer is one instruction and one branch. A block at CPL 3 holds far returns to their own next instruction;
 * retired branches and instructions are counted by turns. Some cores count such a branch twice (RPL55, MTL13), some
 * Atoms the instruction, too.
 */
#include "harness/chapter/probing.h"

PROBE_WORK(far_return);

static bool far_transfers(struct test *t)
{
    static const struct probe probes[] = {
        {"branches", ASPECT_FAR_BRANCHES, far_return_work, ARCH_EVENT_BRANCHES, PROBE_LOOP_BRANCHES + 1},
        {"instructions", ASPECT_FAR_INSTRUCTIONS, far_return_work, ARCH_EVENT_INSTRUCTIONS, PROBE_LOOP + 4},
    };
    static const enum erratum_fact_id facts[] = {FACT_FAR_BRANCHES, FACT_FAR_INSTRUCTIONS};
    unsigned which = t->turn % ARRAY_SIZE(probes);
    return told(t, facts[which]) ? probe_work(t, &probes[which]) : more_samples(t);
}

static void need_told_here(struct test *t)
{
    if (!told(t, FACT_FAR_INSTRUCTIONS))
        need_told(t, FACT_FAR_BRANCHES);
}

TEST("errata.far-transfers", .title = "A far return is counted as one instruction and one branch",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "A-028",
     .needs = {.version = 2, .event = 6, .probe = true}, .scope = EACH_CPU, .prepare = need_told_here,
     .repeat = far_transfers);
