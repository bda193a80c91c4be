/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each instruction that retires is counted once, and IRET is one. A block at CPL 3 holds an IRET to its own next
 * instruction. Ivy Bridge may count too many (BV52).
 */
#include "harness/chapter/probing.h"

PROBE_WORK(iret);

static bool iret(struct test *t)
{
    static const struct probe probe = {"iret", ASPECT_IRET | ASPECT_INSTRUCTIONS, iret_work, ARCH_EVENT_INSTRUCTIONS,
                                       PROBE_LOOP + 8};
    probe_work(t, &probe);
    return more_samples(t);
}

TEST("errata.iret", .title = "An IRET is counted as one retired instruction",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "A-028",
     .needs = {.version = 2, .event = 2, .told = 1 + FACT_IRET}, .scope = EACH_CPU, .repeat = iret);
