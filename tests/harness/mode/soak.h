/*
 * Soak: all tests over and over for some minutes, each time in another order, on other CPUs, with longer periods and
 * more repeats, with the other CPUs asleep or busy. What real CPUs do wrong they do now and then.
 */
#pragma once

#include "harness/mode/session.h"

/* Runs for `minutes` and prints a line for each round, then what each test came to and where. Adds to *totals. */
void soak(struct session *session, const struct pmu_run *run, u64 minutes, u64 seed, struct totals *totals);
