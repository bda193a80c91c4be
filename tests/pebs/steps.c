/*
 * Every row of the table "Requirements to Program PEBS" is needed, but for its optional ones: left out, nothing is
 * recorded. Without a sample-after value the counter does not reach its end; without event and enable bit it does not
 * count; without the management area's fields there is no room for a record; without IA32_PEBS_ENABLE the counter is a
 * plain one. Without the optional rows records come all the same, as what these undo was not there.
 *
 * A way to get records without asking for them properly is a way to get them by accident. A DS area without fields
 * names address 0, so on hardware this is only tried where it is unlocked.
 */
#include "harness/sampling.h"

#define RECORDS 2

static const struct {
    const char *step, *label;
    bool records;
} left_out[] = {
    {"disable-pebs", "no-record-without-optional-step", true},
    {"clear-overflow", "no-record-without-optional-step", true},
    {"sample-after", "recorded-without-sample-after", false},
    {"configure-counters", "recorded-without-event", false},
    {"management", "recorded-without-management", false},
    {"enable-pebs", "recorded-without-enable", false},
};

static bool one_step(struct test *t, void *argument)
{
    u32 *turn = argument;
    unsigned which = *turn % ARRAY_SIZE(left_out);
    struct sampling s;
    struct sampling_pair pair;
    sampling_pair(t, 0, &pair);
    sampling_clear(t, &s);
    sampling_add(&s, &pair);
    counter_clear(pair.counter); /* what the run before left in it */
    if (!pebs_begin_without(&s.setup, left_out[which].step))
        error(t, "no memory for the DS area");
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    sampling_end(&s);
    bool written = ds_area_touched(&s.setup.area, 0) != ds_area_end(&s.setup.area);
    check_equal(t, left_out[which].label, written, left_out[which].records, 0);
    return sampling_more(t, turn, ARRAY_SIZE(left_out));
}

static void steps(struct test *t)
{
    u32 turn = 0;
    need_unlocked(t);
    repeat_clean(t, one_step, &turn);
}

TEST("pebs.steps", .title = "A required step of the set-up left out: nothing is recorded",
     .spec = "SDM 3B, Requirements to Program PEBS", .needs = {.pebs = true}, .scope = EACH_CPU, .run = steps);
