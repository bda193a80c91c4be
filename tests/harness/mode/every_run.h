/* SPDX-License-Identifier: BSD-2-Clause */
/* The runs that the options ask for, one after the other: one alone, or several as subtests of the log. */
#pragma once

#include "harness/mode/session.h"

/* Makes all runs of the backend, and adds their results to *totals. */
void every_run(const struct session *session, struct totals *totals);
/* On the PMU of a run, which is armed: the tests, or what a mode has in their place. Adds to *totals. */
void every_run_armed(const struct session *session, const struct pmu_run *run, struct totals *totals);
/* Around a run as a subtest: begins it in the log; gives its result line, the number-th, and adds *inner to *totals. */
void every_run_nest(const char *name);
void every_run_unnest(u32 number, const char *name, const struct totals *inner, struct totals *totals);
