/* SPDX-License-Identifier: BSD-2-Clause */
/* Puts deviations in place of rules, and keeps the state of the active ones. */
#include "reference/deviations/narrow.h"

#define STACKED 2

/* The active deviations of a model, in its `aside`. */
struct all_at_work {
    unsigned count;
    struct at_work one[STACKED];
};
_Static_assert(sizeof(struct all_at_work) <= sizeof(((struct model *)0)->aside), "no room for what deviates");

static struct all_at_work *all_of(struct model *m)
{
    return (struct all_at_work *)(void *)m->aside;
}

/* The state of a deviation, which is active. */
struct at_work *at_work(struct model *m, const struct deviation *deviation)
{
    struct all_at_work *all = all_of(m);
    return all->one[0].deviation == deviation ? &all->one[0] : &all->one[1];
}

bool deviation_strikes(struct model *m, struct at_work *self)
{
    if (!deviation_holds(m, self->place) || ++self->chances < self->place.from)
        return false;
    return self->chances % self->rate == 0;
}

void stand_in(struct model *m, const struct stand_in *row)
{
    __builtin_memcpy((char *)&m->rules + row->rule, &row->function, sizeof(row->function));
}

const struct at_work *narrowed_at_work(const struct model *m)
{
    return &((const struct all_at_work *)(const void *)m->aside)->one[0];
}

void put_to_work(struct model *m, const struct deviation *deviation, uint32_t rate, uint64_t parameter,
                 struct deviation_place place)
{
    struct all_at_work *all = all_of(m);
    struct at_work *work = &all->one[all->count++];
    work->deviation = deviation;
    work->rate = rate ? rate : 1;
    work->parameter = parameter ? parameter : deviation->parameter.usual;
    work->place = place;
    work->replaced = m->rules;
    for (const struct stand_in *row = deviation->stands_in; row && row->function; row++)
        stand_in(m, row);
    work->deviating = m->rules;
    if (deviation->data)
        deviation->data(m);
    m->altered = true;
}
