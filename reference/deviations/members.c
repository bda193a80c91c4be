/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The registers on each of which a defect of registers can be shown: those of the PMU that software writes, from the
 * table of registers. A register that is added there has all of these defects.
 */
#include "reference/deviations/narrow.h"

static const struct {
    const char *name; /* as in the table, with dashes */
    uint32_t first, count, apart;
} rows[] = {
#define MEMBER(name, first, count, apart) {name, first, count, apart},
#include "members.def"
#undef MEMBER
};
_Static_assert(ARRAY_SIZE(rows) < 255, "a place has 8 bits for it");

const char *deviation_register(unsigned n, uint32_t *first)
{
    if (n >= ARRAY_SIZE(rows))
        return NULL;
    *first = rows[n].first;
    return rows[n].name;
}

bool deviation_is_of(struct deviation_place place, uint32_t msr)
{
    if (!place.member)
        return true;
    uint32_t away = msr - rows[place.member - 1].first, apart = rows[place.member - 1].apart;
    return away % apart == 0 && away / apart < rows[place.member - 1].count;
}
