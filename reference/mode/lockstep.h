/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random walks over the PMU, instead of the tests or after them: reference/lockstep makes them; this part decides
 * when, and writes the log.
 */
#pragma once

#include "harness/mode/session.h"

/* Does lockstep= ask for walks instead of the tests? */
bool lockstep_asked(void);
/* Do walks follow the tests? Not if only some tests were selected. */
bool lockstep_follows(void);
/* NULL, or one line that says what is wrong with the option. */
const char *lockstep_plan_wrong(void);
/* Makes the walks that the option asks for, as the only result of the run. */
void lockstep_all(const struct session *session, const struct pmu_run *run, struct totals *totals);
/*
 * Makes the walks after the tests, as one more result: the same number on each CPU, whatever the machine's load. On the
 * reference PMU they are the same each time.
 */
void lockstep_last(const struct session *session, u32 number, struct totals *totals);
/* For a soak: makes so many more on each CPU of the run, starting at this seed. Differences are reported at once. */
void lockstep_soak(u64 seed, u32 walks);
/* At the end of a soak: reports their number and the rate of differences, or the excluded rate, and adds the result. */
void lockstep_soaked(const struct session *session, u32 number, struct totals *totals);
/*
 * After walks: calls the function for each choice that some CPUs of the run made, with the variation's name, and for
 * each erratum that they showed, with its number and the name of the defect that does the same.
 */
typedef void lockstep_choice(void *context, const char *name, const char *erratum, const struct cpu_set *cpus);
void lockstep_choices(lockstep_choice *tell, void *context);
