/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Invalid DS areas: the index at the absolute maximum, past it, or below the base. By the rules of the bounds check the
 * record is skipped, and memory stays unchanged. A threshold of 0 is reached before anything is written: records come,
 * and stay between base and maximum. On CPUs that allow a record to begin at the maximum, the result is measured.
 *
 * What hardware does then is not fully documented, and some CPUs have hung: the test runs only if it is unlocked.
 */
#include "harness/chapter/sampling.h"

#define PERIOD 256
#define RECORDS 6
#define ROOM 4

static const struct {
    const char *label;
    unsigned base, index; /* in records from the start of the buffer; the maximum is at ROOM */
    bool no_threshold, skipped;
} geometries[] = {
    {"index-at-maximum", 0, ROOM, false, true},
    {"index-past-maximum", 0, ROOM + 1, false, true},
    {"threshold-0", 0, 0, true, false},
    {"index-below-base", 2, 1, false, true},
};

static void set(const struct sampling *s, enum ds_field field, unsigned records)
{
    ds_put(&s->setup.area.layout, s->setup.area.management, field, (u64)s->setup.area.buffer + records * s->setup.size);
}

static bool one_geometry(struct test *t)
{
    unsigned which = t->turn % ARRAY_SIZE(geometries);
    struct sampling s;
    struct sampling_pair pair = sampling_basic(t);
    sampling_clear(t, &s);
    sampling_add(&s, &pair)->period = sampling_period(&pair, PERIOD);
    s.setup.records = ROOM;
    sampling_begin(t, &s);
    set(&s, DS_PEBS_BASE, geometries[which].base);
    set(&s, DS_PEBS_INDEX, geometries[which].index);
    if (geometries[which].no_threshold)
        ds_put(&s.setup.area.layout, s.setup.area.management, DS_PEBS_THRESHOLD, 0);
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    sampling_end(&s);
    u64 may_write = geometries[which].skipped ? 0 : pebs_bound(&s.setup);
    u64 touched = ds_area_touched(&s.setup.area, may_write);
    if (geometries[which].index == ROOM && pebs_maximum_included(t->caps))
        measure(t, geometries[which].label, "0-or-1", touched != ds_area_end(&s.setup.area));
    else
        check_equal(t, geometries[which].label, touched, ds_area_end(&s.setup.area), 0);
    return sampling_more(t, ARRAY_SIZE(geometries));
}

TEST("pebs.geometry", .title = "A record outside the bounds of the DS area is skipped",
     .spec = "SDM 3B, Setting Up the DS Save Area", .covers = "B-079", .needs = {.pebs = true}, .scope = EACH_CPU,
     .prepare = need_unlocked, .repeat = one_geometry, .measures = true);
