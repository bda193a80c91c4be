/*
 * Random walks over the PMU in place of the tests: pmu/reference/lockstep makes them, here is when, and what the log
 * says.
 */
#pragma once

#include "harness/mode/session.h"

/* Does lockstep= ask for walks? */
bool lockstep_asked(void);
/* What is wrong with the option: NULL, or one line. */
const char *lockstep_plan_wrong(void);
/* The walks that it asks for, as the one result of the run. */
void lockstep_all(const struct pmu_run *run, struct totals *totals);
/* After them: each choice, by the variation's name, that some CPUs of the run have made. */
void lockstep_choices(void (*tell)(const char *name, const struct cpu_set *cpus));
