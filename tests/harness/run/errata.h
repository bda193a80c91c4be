/*
 * Known errata as data: on which CPUs, in which state, which promise of the hardware they break, and how far. A check
 * that asks for that promise and fails no worse than a row says is `known`, never `fail`. No test is named here. Pure:
 * lookup takes the capabilities as an argument.
 */
#pragma once

#include "harness/aspect.h"
#include "pmu/caps.h"

/* How a check failed. */
struct symptom {
    u32 aspects;   /* enum aspect: what it asked */
    u32 msr;       /* the register that was checked; 0: none */
    bool in_words; /* what was wrong is not told in numbers: no bound says how far it may be off */
    u64 set;       /* bits that are 1 and should be 0 */
    u64 clear;     /* bits that are 0 and should be 1; set and clear both ~0: not a matter of bits */
    u64 distance;  /* how far the value is from where it should be; ~0: not a matter of values */
};

/* One promise that an erratum breaks. 0 stands for "any" or "always" in all that follows `what`. */
struct erratum {
    const char *id;      /* the document's number, as Intel prints it but for padding zeros: "SKL164" */
    u32 signature, mask; /* CPUID.1:EAX & mask == signature */
    u32 aspects;         /* enum aspect: checks that ask one of these */
    const char *what;    /* one line */
    u32 msr;             /* in this register only */
    u32 gp_from;         /* of GP counters from this one on only */
    u64 most;            /* only if the value is no farther off */
    u64 bits;            /* only if of these bits some are 1 that should be 0, and all others are right */
    u32 microcode_fixed; /* fixed from this revision on */
    bool eight_counters; /* only while 8 GP counters are enumerated */
    bool smt;            /* only with more than one thread in a core (or if that is not told) */
    bool rtm;            /* only while CPUID shows RTM */
};

/* The first erratum that excuses a check that failed like that on this CPU, or NULL. */
const struct erratum *erratum_for(const struct pmu_caps *caps, const struct symptom *symptom);
