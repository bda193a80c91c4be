/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An event that the manual does not list for sampling: instructions on Silvermont, which drivers sample nevertheless.
 * How many records it gives is measured.
 *
 * All records must still be whole, and nothing may be written past the index.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 4

static bool find_unlisted(const struct test *t, struct sampling_pair *pair)
{
    for (unsigned i = 0; pebs_event(t->caps, i, &pair->event); i++)
        if (pair->event.care == PEBS_UNLISTED) {
            pair->counter = gp_counter(t->caps, (unsigned)__builtin_ctzll(pair->event.counters));
            return true;
        }
    return false;
}

static bool one_sample(struct test *t)
{
    struct sampling_pair pair;
    struct sampling s;
    find_unlisted(t, &pair);
    sampling_clear(t, &s);
    sampling_add(&s, &pair);
    sample(t, &s, RECORDS);
    measure(t, "records-of-4", "records", check_whole(t, &s));
    check_equal(t, "behind-the-index", ds_area_touched(&s.setup.area, pebs_written(&s.setup)),
                ds_area_end(&s.setup.area), 0);
    return sampling_more(t, 1);
}

static void need_unlisted(struct test *t)
{
    struct sampling_pair pair;
    if (!find_unlisted(t, &pair))
        skip(t, "signature %08x: all events that the tests sample are listed", t->caps->signature);
}

TEST("pebs.unlisted", .title = "Sampling an event that the manual does not list for it",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .needs = {.pebs = true}, .scope = EACH_CPU,
     .prepare = need_unlisted, .repeat = one_sample, .measures = true);
