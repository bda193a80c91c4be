/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With NMI delivery in LVTPC an overflow raises a non-maskable interrupt: it arrives although interrupts are off.
 * Operating systems profile that way, to see code that runs with interrupts off. At least one has to come for each
 * overflow; there may be NMIs from elsewhere, which the status bit shows.
 */
#include "harness/test.h"

static bool each_counter(struct test *t)
{
    check_overflow_arrives(t, PMI_NMI);
    return true;
}

TEST("pmi.nmi", .title = "With NMI delivery the PMI comes although interrupts are off",
     .spec = "SDM 3A, Local Vector Table", .covers = "B-043", .needs = {.version = 2, .event = 2, .apic = true},
     .scope = EACH_CPU, .repeat = each_counter, .cells = CELL_RINGS | CELL_COUNTERS | CELL_NEIGHBOURS,
     .aside = ASIDE_COUNTERS);
