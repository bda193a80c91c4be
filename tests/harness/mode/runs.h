/* What is to be run: the hardware, or the reference PMU with profiles and deviations, from the options' text. Pure. */
#pragma once

#include "boot/bits.h"

#define RUNS_MAX 64
#define RUN_NAME_SIZE 80
#define RUNS_ERROR_SIZE 400

struct deviating;         /* pmu/reference/deviations/deviations.h */
struct profile;           /* pmu/reference/model/profile.h */
struct deviation_erratum; /* pmu/reference/deviations/deviations.h */

struct pmu_run {
    const struct profile *profile;           /* NULL: the machine's own PMU */
    int deviation;                           /* index into deviations; -1: none */
    u32 rate;                                /* the deviation shows 1 of `rate` times */
    const struct deviation_erratum *erratum; /* shows itself as the CPU that has it; NULL: as the profile's */
};

struct runs {
    struct pmu_run run[RUNS_MAX];
    unsigned count;
};

/*
 * reference="PROFILE,...", defect="NAME[:N],...": every profile without deviations, or with each of those named. Both
 * empty: one run of the machine's own PMU. False with one line in error: what is unknown, and what there is.
 */
bool runs_plan(const char *reference, const char *defect, struct runs *runs, char *error);
/* The name of the profile that a proof takes if none is asked for. */
const char *runs_default_profile(void);
/* How the run's PMU differs from the good one. */
struct deviating run_deviating(const struct pmu_run *run);
/* "reference:skylake+lvtpc-not-masked", or "hardware". text has RUN_NAME_SIZE bytes. */
const char *run_name(const struct pmu_run *run, char *text);
