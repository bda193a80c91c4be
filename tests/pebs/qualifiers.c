/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For a counter that samples INV, CMASK, EDGE, AnyThread and INT must be 0; with one of them set its behaviour is
 * unpredictable (SKL161: too many records). How many records come with each is measured, and only if it is unlocked.
 *
 * All records must still be whole and within the buffer.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 4

static const struct {
    const char *name;
    u64 bits;
} qualifiers[] = {
    {"cmask-1", EVTSEL_CMASK(1)},
    {"inv-cmask-16", EVTSEL_INV | EVTSEL_CMASK(16)},
    {"edge-cmask-1", EVTSEL_EDGE | EVTSEL_CMASK(1)},
    {"int", EVTSEL_INT},
};

static bool one_qualifier(struct test *t)
{
    unsigned which = t->turn % ARRAY_SIZE(qualifiers);
    struct sampling s;
    struct sampling_pair pair;
    sampling_pair(t, 0, &pair);
    sampling_clear(t, &s);
    sampling_add(&s, &pair)->qualifiers = qualifiers[which].bits;
    sample(t, &s, RECORDS);
    measure(t, qualifiers[which].name, "records", check_whole(t, &s));
    return sampling_more(t, ARRAY_SIZE(qualifiers));
}

TEST("pebs.qualifiers", .title = "Sampling with qualifiers that must be 0",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .covers = "B-088", .needs = {.sampling = true},
     .scope = EACH_CPU, .prepare = need_unlocked, .repeat = one_qualifier, .measures = true);
