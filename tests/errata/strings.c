/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A string instruction with REP is one instruction, however often it repeats, and no branch. A block at CPL 3 holds a
 * REP STOS and a REP MOVS of 128 bytes; retired instructions and branches are counted. From Skylake to Comet
 * Lake both may be too many with fast strings (SKL91).
 */
#include "harness/chapter/probing.h"

PROBE_WORK(strings);

static bool strings(struct test *t)
{
    static const struct probe probes[] = {
        {"instructions", ASPECT_STRINGS | ASPECT_INSTRUCTIONS, strings_work, ARCH_EVENT_INSTRUCTIONS, PROBE_LOOP + 8},
        {"branches", ASPECT_STRINGS | ASPECT_BRANCHES, strings_work, ARCH_EVENT_BRANCHES, PROBE_LOOP_BRANCHES},
    };
    for_each_row (probes, probe)
        probe_work(t, probe);
    return more_slow_samples(t);
}

TEST("errata.strings", .title = "A REP string instruction is counted as one instruction and no branch",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "A-028",
     .needs = {.version = 2, .event = 6, .told = 1 + FACT_STRINGS}, .scope = EACH_CPU, .repeat = strings);
