/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPUID changes no flow of control, so it is no branch. A block at CPL 3 executes it; retired branches are counted. An
 * old Celeron counts each as one (W146); which models that sheet is for is not known.
 */
#include "harness/chapter/probing.h"

PROBE_WORK(cpuid);

static bool cpuid_as_branch(struct test *t)
{
    static const struct probe probe = {"branch", ASPECT_BRANCHES, cpuid_work, ARCH_EVENT_BRANCHES, PROBE_LOOP_BRANCHES};
    probe_work(t, &probe);
    return more_samples(t);
}

TEST("errata.cpuid", .title = "CPUID is not counted as a branch",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "A-028",
     .needs = {.version = 2, .event = 6}, .scope = EACH_CPU, .prepare = need_sheet, .repeat = cpuid_as_branch);
