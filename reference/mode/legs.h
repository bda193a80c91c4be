/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a proof runs, from the tables of the reference PMU: on which profiles, and each defect in which variants. Pure.
 */
#pragma once

#include "reference/mode/runs.h"

#define LEGS_MAX 16
#define LEG_NAME_SIZE 96

/* The proof's own profile and after it the others on which some of these defects show. Returns their number. */
unsigned legs_profiles(const struct profile *own, const int *list, unsigned count, const struct profile *on[LEGS_MAX]);

enum leg_kind {
    LEG_PLAIN,     /* on its own profile, without the erratum that it mimics */
    LEG_ELSEWHERE, /* on a further profile */
    LEG_COUNTER,   /* on one counter only, with the tests that the defect is meant for */
    LEG_REGISTER,  /* on one register only, with the tests that the defect is meant for; it need not be noticed */
    LEG_ERRATUM,   /* on a CPU that has the erratum: must be known */
    LEG_NOT_BY,    /* on a CPU with an erratum that is similar: must not be known */
    LEG_THOROUGH,  /* with the repeats of a normal run: for what depends on chance, or needs one repeat per counter */
    LEG_RARE,      /* only now and then, with the repeats of a normal run and the tests that it is meant for */
};

struct leg {
    enum leg_kind kind;
    struct pmu_run run;
    bool unseen; /* no test is known to notice it there */
    /* The variant's name: "pmi-lost", "pmi-lost@haswell", "pmi-lost@000106a5", "pmi-lost@000106a5:19",
     * "pmi-late@haswell+normal", "pmi-lost:40+normal" */
    char name[LEG_NAME_SIZE];
};
/* Variant n of a deviation, n from 0; false if there are no more. */
bool leg_of(const struct profile *own, int deviation, unsigned n, struct leg *leg);
