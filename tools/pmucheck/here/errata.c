/* SPDX-License-Identifier: BSD-2-Clause */
/* The published errata of a kind of core, out of the image's table. */
#include "pmu/cpu/microcode.h"
#include "tools/pmucheck/here/here.h"
#include <string.h>

/* The revision that mends it on this very CPU; 0: none is known. */
static u32 mended_by(const struct erratum_fact *fact, const struct pmu_caps *caps)
{
    for (const struct erratum_fix *fix = fact->fixed; fix && fix->signature; fix++)
        if (fix->signature == caps->signature)
            return fix->microcode;
    return 0;
}

static enum here_erratum_state state_of(const struct erratum_fact *fact, const struct pmu_caps *caps)
{
    if (!erratum_in_state(fact, caps))
        return HERE_NOT_NOW;
    if (erratum_fixed(fact, caps))
        return HERE_MENDED;
    return mended_by(fact, caps) ? HERE_MENDABLE : HERE_OPEN;
}

/*
 * rr counts retired conditional branches at CPL 3 with a GP counter, and stops a program by its overflow: what an
 * erratum of counting excuses tells whether that is touched.
 */
#define RR_COUNTS                                                                                      \
    (ASPECT_BRANCHES | ASPECT_OWN_EVENTS | ASPECT_USR_ALONE | ASPECT_CALL_NEXT | ASPECT_FAR_BRANCHES | \
     ASPECT_NEAR_KINDS | ASPECT_INVERTED | ASPECT_STRINGS | ASPECT_RING_ENTRY | ASPECT_COUNTER_VALUE)

static bool spares_rr(const struct errata_row *row)
{
    u64 aspects = 0;
    for_each_excuse (&row->fact, excuse)
        aspects |= excuse->aspects;
    return strcmp(row->area, "counting") == 0 && aspects && !(aspects & RR_COUNTS);
}

static const char *uses_of(const struct errata_row *row)
{
    for (const struct errata_area *area = errata_areas; area->area; area++)
        if (strcmp(area->area, row->area) == 0)
            return spares_rr(row) ? "counting" : area->uses;
    return "";
}

void here_look_errata(struct arena *arena, const struct pmu_caps *caps, here_errata *errata)
{
    for (const struct errata_row *row = errata_rows; row < errata_rows + errata_row_count; row++) {
        const char *number = erratum_listed(&row->fact, caps);
        if (number)
            *LIST_ADD(arena, errata) = (struct here_erratum){row, number, state_of(&row->fact, caps),
                                                             mended_by(&row->fact, caps), uses_of(row)};
    }
}

bool here_touches(const struct here_erratum *erratum, const char *use)
{
    size_t length = strlen(use);
    for (const char *at = erratum->uses; *at; at += strcspn(at, ","), at += *at == ',')
        if (strncmp(at, use, length) == 0 && (at[length] == ',' || !at[length]))
            return true;
    return false;
}
