/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter with its interrupt bit set that overflows raises a performance monitoring interrupt. With fixed delivery it
 * arrives at LVTPC's vector, on every kind of counter, and IA32_PERF_GLOBAL_STATUS then shows which counter it was.
 *
 * When it arrives is not promised: the test waits 20 ms for it. A second PMI without an overflow is legal.
 */
#include "harness/test.h"

static bool each_counter(struct test *t)
{
    check_overflow_arrives(t, PMI_FIXED);
    return true;
}

TEST("pmi.fixed-vector", .title = "An overflow raises a PMI at LVTPC's vector",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "A-083,A-108,B-047",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = each_counter,
     .cells = CELL_RINGS | CELL_COUNTERS | CELL_NEIGHBOURS, .aside = ASIDE_COUNTERS);
