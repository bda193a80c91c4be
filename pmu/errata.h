/*
 * Known errata as data: signature, microcode, state, document id, and which check labels they excuse. A check that
 * fails exactly as a row says is `known`, never `fail`. Pure: lookup takes the capabilities as an argument.
 */
#pragma once

#include "pmu/caps.h"

struct erratum {
    const char *id;      /* the document's number: "SKL164" */
    u32 signature, mask; /* CPUID.1:EAX & mask == signature */
    u32 microcode_fixed; /* fixed from this revision on; 0: never */
    bool eight_counters; /* only while 8 GP counters are enumerated */
    bool smt;            /* only with more than one thread in a core (or if that is not told) */
    const char *test;    /* glob of test ids */
    const char *label;   /* glob of check labels */
    const char *what;    /* one line */
};

/* The first erratum that excuses `label` of `test` on this CPU, or NULL. */
const struct erratum *erratum_for(const struct pmu_caps *caps, const char *test, const char *label);
