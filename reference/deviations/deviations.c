/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of deviations, and how one or two of them are made active in a model. */
#include "reference/deviations/narrow.h"

const struct deviation *const deviations[] = {
#define DEVIATION(id) &deviation_##id,
#include "deviations.def"
#undef DEVIATION
};
const unsigned deviation_count = DEV_COUNT;

int deviation_find(const char *name)
{
    for (unsigned i = 0; i < deviation_count; i++)
        if (model_same_text(deviations[i]->name, name))
            return (int)i;
    return -1;
}

const char *deviation_meant(const struct deviation *deviation)
{
    return deviation->meant ? deviation->meant : deviation->chapters;
}

static const struct deviation_erratum *nth(const struct deviation_erratum *row, unsigned n)
{
    while (row && row->id && n--)
        row++;
    return row && row->id ? row : NULL;
}

const struct deviation_erratum *deviation_erratum(const struct deviation *deviation, unsigned n)
{
    return nth(deviation->errata, n);
}

const struct deviation_erratum *deviation_not_by(const struct deviation *deviation, unsigned n)
{
    return nth(deviation->not_by, n);
}

/* Changes the profile's copy to the CPU that has the erratum. */
static void show_erratum(struct model *m, const struct deviation_erratum *erratum)
{
    m->p.signature = erratum->signature;
    m->p.microcode = erratum->microcode;
    m->p.leaf7_ebx |= erratum->leaf7_ebx;
    m->p.leaf7_edx |= erratum->leaf7_edx;
    m->machine.threads_shown = erratum->threads;
}

static void begin_at(struct model *m, const struct deviating *how)
{
    put_to_work(m, how->deviation, how->rate, how->parameter, how->place);
    if (how->place.counter || how->place.rings || how->place.member)
        narrow(m, how->deviation);
}

/* Has an update of microcode fixed the erratum? */
static bool mended(const struct model *m, const struct deviation_erratum *erratum)
{
    return erratum && erratum->fixed && m->made.microcode >= erratum->fixed;
}

void deviate(struct model *m, const void *deviating)
{
    const struct deviating *how = deviating;
    if (how->erratum)
        show_erratum(m, how->erratum);
    bool elsewhere = how->place.cpu && (how->place.cpu > m->cpus ? m->cpus : how->place.cpu) - 1u != m->cpu;
    if (how->deviation && !elsewhere && !mended(m, how->erratum))
        begin_at(m, how);
    if (how->also && how->also != how->deviation)
        put_to_work(m, how->also, 1, 0, (struct deviation_place){0});
}
