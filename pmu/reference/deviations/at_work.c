/* Puts deviations in place of rules, and keeps what those at work need. */
#include "pmu/reference/deviations/stand_in.h"

#define STACKED 2

/* What is at work in a model: its `aside`. */
struct all_at_work {
    unsigned count;
    struct at_work one[STACKED];
};
_Static_assert(sizeof(struct all_at_work) <= sizeof(((struct model *)0)->aside), "no room for what deviates");

static struct all_at_work *all_of(struct model *m)
{
    return (struct all_at_work *)(void *)m->aside;
}

/* Whoever asks is at work. */
struct at_work *at_work(struct model *m, const struct deviation *deviation)
{
    struct all_at_work *all = all_of(m);
    return all->one[0].deviation == deviation ? &all->one[0] : &all->one[1];
}

bool deviation_strikes(struct model *m, const struct deviation *deviation)
{
    struct at_work *work = at_work(m, deviation);
    return ++work->chances % work->rate == 0;
}

void *deviation_memory(struct model *m, const struct deviation *deviation)
{
    return at_work(m, deviation)->memory;
}

static void stand_in(struct model *m, const struct stand_in *row)
{
    for (; row && row->function; row++)
        __builtin_memcpy((char *)&m->rules + row->rule, &row->function, sizeof(row->function));
}

static void put_to_work(struct model *m, const struct deviation *deviation, uint32_t rate, uint64_t parameter)
{
    struct all_at_work *all = all_of(m);
    struct at_work *work = &all->one[all->count++];
    work->deviation = deviation;
    work->rate = rate ? rate : 1;
    work->parameter = parameter ? parameter : deviation->parameter.usual;
    work->replaced = m->rules;
    stand_in(m, deviation->stands_in);
    if (deviation->data)
        deviation->data(m);
    m->altered = true;
}

/* The profile's copy becomes the CPU that has the erratum. */
static void show_erratum(struct model *m, const struct deviation_erratum *erratum)
{
    m->p.signature = erratum->signature;
    m->p.microcode = erratum->microcode;
    m->p.leaf7_ebx |= erratum->leaf7_ebx;
    m->p.leaf7_edx |= erratum->leaf7_edx;
    m->machine.threads_shown = erratum->threads;
}

void deviate(struct model *m, const void *deviating)
{
    const struct deviating *how = deviating;
    if (how->erratum)
        show_erratum(m, how->erratum);
    if (how->deviation)
        put_to_work(m, how->deviation, how->rate, how->parameter);
    if (how->also && how->also != how->deviation)
        put_to_work(m, how->also, 1, 0);
}
