/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From format 3 on a record holds the time-stamp counter: a value between those that RDTSC returned before and after
 * the block, and not less than that of the previous record. Nothing is promised about the time between the instruction
 * and the record, so the whole block is the tolerance.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 4

static bool one_pair(struct test *t)
{
    struct sampling s;
    unsigned pairs = sampling_some(t, &s);
    sample(t, &s, RECORDS);
    u64 last = 0;
    for_each_record (&s, record) {
        check_range(t, "not-within", record.tsc, s.before, s.after, 0);
        check_true(t, "backwards", record.tsc >= last, record.tsc, "no time before the previous record's", 0);
        last = record.tsc;
    }
    check_recorded(t, &s);
    return sampling_more(t, pairs);
}

TEST("pebs.time-stamp", .title = "The TSC of a record lies between those around the block",
     .spec = "SDM 3B, PEBS Record Format", .covers = "B-080", .needs = {.sampling = true, .pebs_format = 3},
     .scope = EACH_CPU, .repeat = one_pair);
