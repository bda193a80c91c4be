/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nothing is written past the absolute maximum of the DS area: a record is skipped if the index is at the maximum, or,
 * on CPUs that compare differently, above it. The maximum is at the end of the second record, the block has enough
 * events for five, and the bytes after the permitted ones hold a pattern that must stay. In every second turn the
 * threshold is at the first record: it raises an interrupt (masked here) and nothing else, so the second record is
 * still written.
 *
 * Otherwise the CPU overwrites whatever software keeps after its buffer.
 */
#include "harness/chapter/sampling.h"

#define ROOM 2
#define RECORDS 5

static bool one_pair(struct test *t)
{
    struct sampling s;
    unsigned pairs = sampling_some(t, &s);
    s.setup.records = ROOM;
    s.setup.threshold = t->turn % 2;
    sample(t, &s, RECORDS);
    u64 guard = ds_area_touched(&s.setup.area, pebs_bound(&s.setup));
    check_equal(t, "guard-written", guard, ds_area_end(&s.setup.area), 0);
    check_recorded(t, &s);
    if (s.setup.threshold)
        check_true(t, "stopped-at-the-threshold", pebs_written(&s.setup) > s.setup.size, pebs_written(&s.setup),
                   "records beyond the threshold, at the first", 0);
    measure(t, "records-in-room-for-2", "records", pebs_written(&s.setup) / s.setup.size);
    return sampling_more(t, pairs);
}

TEST("pebs.maximum", .title = "Nothing is written past the absolute maximum",
     .spec = "SDM 3B, Setting Up the DS Save Area", .covers = "B-078", .needs = {.pebs = true}, .scope = EACH_CPU,
     .repeat = one_pair, .measures = true);
