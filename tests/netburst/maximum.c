/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nothing is written at or past the absolute maximum of the DS area, on NetBurst as on other CPUs: the maximum is at
 * the end of the third record, the block has enough loads for eighteen, and the bytes after it keep their pattern.
 */
#include "harness/chapter/netburst.h"

#define ROOM 3

static bool one_sample(struct test *t)
{
    struct netburst_setup setup = netburst_setup_of(t, 0);
    struct sampled block;
    setup.records = ROOM;
    netburst_sample(t, &setup, &block, NETBURST_ROUNDS);
    check_equal(t, "guard-written", ds_area_touched(&setup.area, ROOM * setup.size), ds_area_end(&setup.area), 0);
    measure(t, "records-in-room-for-3", "records", netburst_written(&setup) / setup.size);
    return sampling_more(t, 1);
}

TEST("netburst.maximum", .title = "Nothing is written past the absolute maximum", .spec = "SDM 3B, DS Save Area",
     .covers = "B-078", .needs = {.no_pmu = true, .netburst = true}, .scope = EACH_CPU_IN_TURN, .repeat = one_sample,
     .measures = true);
