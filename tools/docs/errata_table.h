/*
 * All published errata of the PMU that are known here, those that excuse checks and those that do not: the table
 * tests/harness/core/errata_facts.def with its texts, which the image leaves out.
 */
#pragma once

#include "harness/core/errata.h"

struct errata_paper {
    const char *name;               /* as its numbers begin, mostly */
    const char *document, *product; /* number and revision, or what stands in for it; whose CPUs it is about */
};

struct errata_row {
    const char *area;
    const char *what, *when; /* what is wrong; under which condition, "" where none is told */
    enum errata_why why;
    const char *details;            /* of why: a feature, ids of tests, a file; "" if there is nothing to add */
    enum erratum_fact_id judged;    /* ERRATUM_FACTS if it excuses nothing */
    const struct erratum_fact fact; /* numbers, conditions and bounds */
};

extern const struct errata_paper errata_papers[ERRATUM_SHEETS];
extern const struct errata_row errata_rows[];
extern const unsigned errata_row_count;
/* The erratum that has this number in one of the sheets; NULL if none has. */
const struct errata_row *errata_row_of(const char *number);
/* Names of the kinds of reasons, as a person reads them: "no test uses it". */
extern const char *const errata_whys[ERRATA_WHYS];
