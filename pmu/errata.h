/*
 * Known errata as data: signature, microcode, state, document id, and which failed checks they excuse. A check that
 * fails exactly as a row says is `known`, never `fail`. Pure: lookup takes the capabilities as an argument.
 */
#pragma once

#include "pmu/caps.h"

/* How a check failed. */
struct symptom {
    const char *test, *label;
    u32 msr;      /* the register that was checked; 0: none */
    u64 set;      /* bits that are 1 and should be 0, */
    u64 clear;    /* and the other way round; both ~0: not a matter of bits */
    u64 distance; /* how far the value is from where it should be; ~0: not a matter of values */
};

/* A kind of failure that an erratum excuses. 0 stands for "any" in all but the globs. */
struct erratum_place {
    const char *test, *label; /* globs */
    u32 msr;                  /* in this register only */
    u32 gp_from;              /* of GP counters from this one on only */
    u64 most;                 /* only if the value is no farther off */
    u64 bits;                 /* only if of these bits some are 1 that should be 0, and all others are right */
};

struct erratum {
    const char *id;                     /* the document's number: "SKL164" */
    u32 signature, mask;                /* CPUID.1:EAX & mask == signature */
    const struct erratum_place *places; /* the first without a test ends them */
    const char *what;                   /* one line */
    u32 microcode_fixed;                /* fixed from this revision on; 0: never */
    bool eight_counters;                /* only while 8 GP counters are enumerated */
    bool smt;                           /* only with more than one thread in a core (or if that is not told) */
    bool rtm;                           /* only while CPUID shows RTM */
};

/* The first erratum that excuses a check that failed like that on this CPU, or NULL. */
const struct erratum *erratum_for(const struct pmu_caps *caps, const struct symptom *symptom);
