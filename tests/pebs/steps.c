/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every row of the table "Requirements to Program PEBS" is needed, except the optional ones: if one is left out,
 * nothing is recorded. Without a sample-after value the counter does not reach its end; without event and enable bit it
 * does not count; without the management area's fields there is no room for a record; without IA32_PEBS_ENABLE the
 * counter is a plain one. Without an optional row records still come, since there was nothing for it to undo; they also
 * come if another row is done last, as long as the counters are started after it.
 *
 * If records come without a proper set-up, they can come by accident. A DS area without fields points at address 0, so
 * on hardware what leaves a required row out is only tried if it is unlocked; the others write to no strange address.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 2
#define HARMLESS 5 /* of the rows, the first */

static const struct {
    const char *step, *label;
    bool records, moved; /* moved: not left out, but done last */
} rows[] = {
    {"disable-pebs", "no-record", true, false},
    {"clear-overflow", "no-record", true, false},
    {"configure-counters", "no-record", true, true},
    {"ds-area", "no-record", true, true},
    {"management", "no-record", true, true},
    /* From here on only if unlocked. */
    {"sample-after", "recorded-without-it", false, false},
    {"configure-counters", "recorded-without-it", false, false},
    {"management", "recorded-without-it", false, false},
    {"enable-pebs", "recorded-without-it", false, false},
};

static bool one_step(struct test *t)
{
    unsigned count = dangerous_allowed("pebs") ? ARRAY_SIZE(rows) : HARMLESS, which = t->turn % count;
    struct sampling s;
    struct sampling_pair pair;
    sampling_pair(t, 0, &pair);
    sampling_clear(t, &s);
    sampling_add(&s, &pair);
    counter_clear(pair.counter); /* the previous run has left a value in it */
    bool (*begin)(struct pebs_setup *, const char *) = rows[which].moved ? pebs_begin_moved : pebs_begin_without;
    if (!begin(&s.setup, rows[which].step))
        error_for(t, REASON_OPTION_MEMORY, "no memory for the DS area");
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    sampling_end(&s);
    bool written = ds_area_touched(&s.setup.area, 0) != ds_area_end(&s.setup.area);
    check_equal(t, rows[which].label, written, rows[which].records, 0);
    return sampling_more(t, count);
}

TEST("pebs.steps", .title = "With a required step of the set-up left out nothing is recorded",
     .spec = "SDM 3B, Requirements to Program PEBS", .needs = {.pebs = true}, .scope = EACH_CPU, .repeat = one_step);
