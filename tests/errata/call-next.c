/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each branch that retires is counted, also a call of the next instruction, with which code without relocation asks
 * where it is. Such a block at CPL 3 is counted. Raptor Lake may miss it (RPL54).
 */
#include "harness/chapter/probing.h"

PROBE_WORK(call_next);

static bool call_next(struct test *t)
{
    static const struct probe probe = {"branches", ASPECT_CALL_NEXT | ASPECT_BRANCHES, call_next_work,
                                       ARCH_EVENT_BRANCHES, PROBE_LOOP_BRANCHES + 1};
    probe_work(t, &probe);
    return more_samples(t);
}

TEST("errata.call-next", .title = "A call of the next instruction is counted as a branch",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "A-028",
     .needs = {.version = 2, .event = 6, .told = 1 + FACT_CALL_NEXT}, .scope = EACH_CPU, .repeat = call_next);
