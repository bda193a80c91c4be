/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With IA32_PERF_CAPABILITIES[13] a general-purpose counter can be written at its full width through IA32_A_PMCn. The
 * complete value reads back, there and by the counter's old name IA32_PMCn, and no bit above the width is ever set.
 *
 * Sampling presets a counter close to its end: with one bit lost the sample never comes.
 */
#include "harness/test.h"

static void read_back(struct test *t)
{
    for_each_gp_counter (t, n) {
        check_reads_back(t, "full-width", MSR_A_PMC(n), MSR_A_PMC(n), t->caps->gp_width);
        check_reads_back(t, "legacy-name", MSR_A_PMC(n), MSR_PMC(n), t->caps->gp_width);
    }
}

TEST("gp.read-back", .title = "GP counters read back what was written at full width",
     .spec = "SDM 3B, Full-Width Writes to Performance Counter Registers", .covers = "A-088,B-054",
     .needs = {.version = 1, .full_width = true}, .scope = EACH_CPU, .run = read_back, .aside = ASIDE(AROUND_SAMPLED));
