/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A full-width write of IA32_A_PMCn that sets a bit above the counter's width causes a general-protection fault and
 * does not change the counter. Whether all CPUs fault, dumps show of
 * some classes; on the other ones that may be tried it is told.
 */
#include "harness/test.h"

static void above_width(struct test *t)
{
    for_each_gp_counter (t, n)
        check_refuses_above(t, MSR_A_PMC(n), t->caps->gp_width, 0x12345 + n);
}

TEST("gp.above-width", .title = "A full-width write above the width faults and changes nothing",
     .spec = "SDM 3B, Full-Width Writes to Performance Counter Registers", .needs = {.version = 1, .full_width = true},
     .scope = EACH_CPU, .run = above_width);
