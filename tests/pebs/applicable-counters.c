/*
 * From format 3 on a record names the counters that it is of. Where one counter samples, that is this one alone. (The
 * older formats show IA32_PERF_GLOBAL_STATUS at that place, which may show none or several: it is measured.)
 */
#include "harness/sampling.h"

#define RECORDS 3

static bool one_pair(struct test *t)
{
    struct sampling s;
    unsigned pairs = sampling_some(t, &s);
    struct counter counter = s.setup.counter[0].counter;
    sample(t, &s, RECORDS);
    for_each_record (&s, record) {
        if (record.has & PEBS_HAS_COUNTERS)
            check_equal(t, "other-counters", record.applicable, BIT(counter.bit), counter.msr);
        else if (record.has & PEBS_HAS_STATUS)
            measure(t, "status-shows-counter", "0-or-1", record.status >> counter.bit & 1);
    }
    check_recorded(t, &s);
    return sampling_more(t, pairs);
}

TEST("pebs.applicable-counters", .title = "A record names the counter that it is of",
     .spec = "SDM 3B, PEBS Record Format", .covers = "A-119,A-131", .needs = {.pebs = true, .pebs_format = 1},
     .scope = EACH_CPU, .repeat = one_pair, .measures = true);
