/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The index moves by whole records: of the size of the format in IA32_PERF_CAPABILITIES[11:8], or, for adaptive
 * records, of the size that each record states, so that walking them ends exactly at the index. Nothing has been
 * written past the index.
 *
 * Software that walks the buffer by another size than the hardware's reads garbage from the second record on.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 3

static bool one_pair(struct test *t)
{
    struct sampling s;
    unsigned pairs = sampling_some(t, &s);
    sample(t, &s, RECORDS);
    u64 written = pebs_written(&s.setup);
    check_whole(t, &s);
    check_equal(t, "not-of-this-size", (written - sampling_padding(&s)) % s.setup.size, 0, 0);
    check_equal(t, "behind-the-index", ds_area_touched(&s.setup.area, written), ds_area_end(&s.setup.area), 0);
    return sampling_more(t, pairs);
}

TEST("pebs.record-size", .title = "The index moves by whole records of the format's size",
     .spec = "SDM 3B, PEBS Record Format", .covers = "A-120", .needs = {.sampling = true}, .scope = EACH_CPU,
     .repeat = one_pair);
