/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter with the precise distribution (PDIR++, PDist) writes records at a constant distance: the same number of
 * instructions lies between any two. Whether that number is the period or one more is not promised, so the distances
 * are compared with each other; a record near an interrupt has been seen one instruction late, which makes one distance
 * longer and the next shorter. The distances come from the loop's own count of its instructions. Other counters'
 * distances are only measured: their records wait for the next event after the mechanism is armed. So are those of the
 * older PDIR, up to Ice Lake, and of Tremont and Goldmont's reduced skid: these make the wait shorter, not constant;
 * and those of PMC0 and PMC1 of Crestmont and Skymont, which drivers count among them and event lists do not.
 *
 * On Sandy Bridge all other counters of the core have to stand still meanwhile: the test runs on one thread per core.
 *
 * An uneven distribution makes some code look more expensive than it is.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 4
#define LATE 1 /* instruction */

struct where {
    struct sampling_pair pair;
    bool even;
    const char *name;
};

static bool one_sample(struct test *t, void *argument)
{
    struct where *where = argument;
    struct sampling s;
    u64 last = 0, least = ~0ull, most = 0;
    sampling_clear(t, &s);
    sampling_add(&s, &where->pair);
    sampling_registers(&s);
    sample(t, &s, RECORDS);
    for_each_record (&s, record) {
        u64 at = sampled_instruction(record.ip, record.reg[SAMPLED_CLOCK], !pebs_names_instruction(t->caps));
        if (last) {
            measure(t, where->name, "instructions", at - last);
            least = at - last < least ? at - last : least;
            most = at - last > most ? at - last : most;
        }
        last = at;
    }
    check_true(t, "fewer-than-two-records", most != 0, pebs_written(&s.setup), "2 records or more",
               where->pair.counter.msr);
    if (where->even && most)
        check_range(about(t, ASPECT_INSTRUCTIONS), "not-constant", most, least, least + 2 * LATE,
                    where->pair.counter.msr);
    return sampling_more(t, 1);
}

static void spacing(struct test *t)
{
    struct where where = {.name = "distance-precise"};
    for (unsigned which = 0; sampling_precise(t, which, &where.pair); which++) {
        where.even = pebs_even_bits(t->caps) & BIT(where.pair.counter.bit);
        repeat_clean(t, one_sample, &where);
    }
    where = (struct where){.pair = sampling_basic(t), .name = "distance"};
    if (!(pebs_precise_bits(t->caps) & BIT(where.pair.counter.bit)))
        repeat_clean(t, one_sample, &where);
}

TEST("pebs.spacing", .title = "Records of a counter with the precise distribution are equally far apart",
     .spec = "SDM 3B, Precise Distribution of Instructions Retired (PDIR)", .covers = "B-081",
     .needs = {.sampling = true}, .scope = EACH_CORE, .run = spacing, .measures = true);
