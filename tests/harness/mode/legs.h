/*
 * What a proof runs, from the tables of the reference PMU: on which profiles, and each defect in how many guises. Pure.
 */
#pragma once

#include "harness/mode/runs.h"

#define LEGS_MAX 16
#define LEG_NAME_SIZE 64

/* The proof's own profile, and after it the others on which some defect shows. Returns how many. */
unsigned legs_profiles(const struct profile *own, const struct profile *list[LEGS_MAX]);

enum leg_kind {
    LEG_PLAIN,     /* on the profile on which it shows, without the erratum that it mimics */
    LEG_ELSEWHERE, /* on a further profile */
    LEG_COUNTER,   /* on one counter alone, asked by the tests that the defect is meant for */
    LEG_ERRATUM,   /* on a CPU that has the erratum: has to be known */
    LEG_NOT_BY,    /* on a CPU with an erratum that comes near: must not be known */
    LEG_THOROUGH,  /* with the repeats of a normal run: what chance decides, and what takes one counter a repeat */
    LEG_RARE,      /* now and then, with the repeats of a normal run, asked by the tests that it is meant for */
};

struct leg {
    enum leg_kind kind;
    struct pmu_run run;
    bool unseen; /* no test is known to notice it there */
    /* "pmi-lost", "pmi-lost@haswell", "pmi-lost@000106a5", "pmi-lost@000106a5:19", "pmi-late@haswell+normal",
       "pmi-lost:100+normal" */
    char name[LEG_NAME_SIZE];
};
/* The n-th guise of a deviation, counted from 0; false when there are no more. */
bool leg_of(const struct profile *own, int deviation, unsigned n, struct leg *leg);
