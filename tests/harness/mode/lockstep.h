/* Random walks over the PMU beside the tests: pmu/reference/lockstep makes them, here is when, and what the log says.
 */
#pragma once

#include "harness/mode/session.h"

/* Is this run one of walks alone, as lockstep= asks for? */
bool lockstep_alone(void);
/* What is wrong with the option: NULL, or one line. */
const char *lockstep_plan_wrong(void);
/* A few walks after all tests of a run; what they find counts as failures or reviews. */
void lockstep_slice(const struct session *session, const struct pmu_run *run, struct totals *totals);
/* In place of tests: the walks that lockstep= asks for, as the one result of the run, of this number. */
void lockstep_run_alone(const struct session *session, const struct pmu_run *run, struct totals *totals);
