/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All known published errata of the PMU, whether they excuse checks or not: the table
 * tests/harness/core/errata_facts.def with its texts, which the image leaves out.
 */
#pragma once

#include "harness/core/errata.h"

struct errata_paper {
    const char *name;               /* mostly the beginning of its numbers */
    const char *document, *product; /* number and revision, or another source; its CPUs */
};

struct errata_row {
    const char *area;
    const char *what, *when; /* what is wrong; the condition, "" if the sheet names none */
    enum errata_why why;
    const char *details;            /* of why: a feature, ids of tests, a file; may be "" */
    enum erratum_fact_id judged;    /* ERRATUM_FACTS if it excuses nothing */
    const struct erratum_fact fact; /* numbers, conditions and bounds */
};

extern const struct errata_paper errata_papers[ERRATUM_SHEETS];
extern const struct errata_row errata_rows[];
extern const unsigned errata_row_count;
/* The erratum with this number in one of the sheets; NULL if there is none. */
const struct errata_row *errata_row_of(const char *number);
/* A part of the PMU that an erratum is about. */
struct errata_area {
    const char *area, *heading;
    const char
        *uses; /* what its errata may spoil, "counting,rr": as the image's purposes are named; "" for none of them */
};
/* In the order in which they are told; a row without an area ends them. */
extern const struct errata_area errata_areas[];
/* The text of each reason, such as "no test uses". */
extern const char *const errata_whys[ERRATA_WHYS];
