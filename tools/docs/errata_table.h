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
/* The text of each reason, such as "no test uses". */
extern const char *const errata_whys[ERRATA_WHYS];
