/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An update of microcode between two runs of the same tests: what it changed, in one boot. The file is the last module
 * from the loader. If it is damaged, older, for another CPU or refused, the log says so, and there is no second run.
 */
#pragma once

#include "harness/run/run.h"
#include "pmu/cpu/microcode.h"

/* Lets each CPU check the file, and logs the results. Call it when the run's PMU is in place. */
void microcode_look(void);
/*
 * Writes the update to each core whose CPUs it fits, and logs the outcome: one core after the other, by one of its
 * threads, while all other CPUs of the machine are held. Returns NULL, or why no CPU has another microcode now.
 */
const char *microcode_give(void);
/* For both runs: notes all outcomes. NULL: there is no memory for them. */
const struct observer *microcode_observer(void);
/* At the end of each run: notes the errata that it met, and the choices of CPUs that walks found. */
void microcode_take(void);
/* After the second run: logs a line for each test, label, erratum and choice that differs, and one with the totals. */
void microcode_tell_changes(void);
