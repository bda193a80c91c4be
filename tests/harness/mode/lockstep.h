/*
 * Random walks over the PMU, in place of the tests or some of them behind these: pmu/reference/lockstep makes them,
 * here is when, and what the log says.
 */
#pragma once

#include "harness/mode/session.h"

/* Does lockstep= ask for walks in place of the tests? */
bool lockstep_asked(void);
/* Do some follow the tests? Behind those of a choice of tests none do. */
bool lockstep_follows(void);
/* What is wrong with the option: NULL, or one line. */
const char *lockstep_plan_wrong(void);
/* The walks that it asks for, as the one result of the run. */
void lockstep_all(const struct pmu_run *run, struct totals *totals);
/*
 * Those behind the tests, as one more result: as many on each CPU whatever the machine's load. On the reference PMU
 * they are the same each time.
 */
void lockstep_last(const struct session *session, u32 number, struct totals *totals);
/* A soak's: so many more on each CPU of the run, from this seed on. What differs is told at once. */
void lockstep_soak(u64 seed, u32 walks);
/* At the soak's end: how many there were, what rate of differences silence excludes, and the result. */
void lockstep_soaked(u32 number, struct totals *totals);
/*
 * After walks, if there were any: each choice that some CPUs of the run have made, by the variation's name; and each
 * erratum that they showed, with its number and the name of the defect that does the same.
 */
typedef void lockstep_choice(void *context, const char *name, const char *erratum, const struct cpu_set *cpus);
void lockstep_choices(lockstep_choice *tell, void *context);
