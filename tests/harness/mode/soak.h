/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Soak: all tests repeatedly for some minutes, each time in another order, on other CPUs, with longer periods and more
 * repeats, with the other CPUs asleep or busy. It is for defects that real CPUs show only now and then.
 */
#pragma once

#include "harness/mode/session.h"

/* Runs for `minutes`, prints a line for each round, then each test's results and where it failed. Adds to *totals. */
void soak(struct session *session, const struct pmu_run *run, u64 minutes, u64 seed, struct totals *totals);
