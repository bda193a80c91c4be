/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter for CPL 3 alone counts nothing that happens at CPL 0, with a counter mask and INV as without: cycles in
 * which too few instructions retire are those of its ring. A block of some thousand instructions runs at CPL 0. Haswell
 * counts all of its cycles with INV (HSD73), and none without it.
 */
#include "harness/chapter/probing.h"

#define K 100      /* 1,206 instructions: hundreds of cycles on the widest core */
#define AT_MOST 64 /* far fewer: there is none, but for what starting and stopping may add */

static const struct {
    const char *label;
    u64 flags, aspect;
} rows[] = {{"with-inv", EVTSEL_INV, ASPECT_INVERTED}, {"without-inv", 0, 0}};

static bool in_the_other_ring(struct test *t)
{
    for_each_row (rows, row) {
        write_msr(t, MSR_PERFEVTSEL(0), 0);
        write_msr(t, MSR_PMC(0), 0);
        write_msr(t, MSR_PERFEVTSEL(0),
                  ARCH_EVENT_INSTRUCTIONS | EVTSEL_USR | EVTSEL_CMASK(1) | row->flags | EVTSEL_EN);
        run_block(t, GLOBAL_GP(0), K);
        check_range(about(t, row->aspect), row->label, read_msr(t, MSR_PMC(0)), 0, AT_MOST, MSR_PMC(0));
    }
    return more_samples(t);
}

TEST("errata.inverted", .title = "With a counter mask, too, a counter counts in the selected rings only",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-057",
     .needs = {.version = 2, .event = 2, .told = 1 + FACT_INVERTED}, .scope = EACH_CPU, .repeat = in_the_other_ring);
