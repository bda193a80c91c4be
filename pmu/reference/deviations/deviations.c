/* The table of deviations. */
#include "pmu/reference/deviations/stand_in.h"

const struct deviation *const deviations[] = {
#define DEVIATION(id) &deviation_##id,
#include "pmu/reference/deviations/list.def"
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
