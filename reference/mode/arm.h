/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Puts the CPUs on the reference PMU of a run. Before the first run on a profile the stepper proves itself: counted
 * snippets on that profile, without a deviation, by every way of stepping. All functions are for the boot CPU, and are
 * what the harness asks of its backend (harness/mode/backend.h).
 */
#pragma once

#include "reference/mode/runs.h"

/* NULL, or why the PMU cannot be used: no stepper works here, or it miscounts. notes: for arm_unshown(). */
const char *arm_run(const struct pmu_run *run, bool notes);
/* NULL, or why the CPUs could not be handed back to the machine's own PMU once they are on the reference PMU. */
const char *arm_for_good(void);
/* Hands them back. */
const char *arm_disarm(void);
/* The same run anew. */
const char *arm_again(void);
bool arm_active(void);
/* The run whose PMU the CPUs are on; NULL: they are on the machine's own. */
const struct pmu_run *arm_armed(void);
/* Logs whose values a dumped CPU's PMU has, and which of them were assumed because nobody has seen them there. */
void arm_describe(void);
/* Could the deviation of this run have changed anything that the run came to so far? */
bool arm_may_show(void);
/*
 * Could the deviation of this run not have shown in it? Logs that with the advice, which is in text. Returns the text
 * if it is a defect's, so that the run is no pass, otherwise NULL.
 */
const char *arm_unshown(char *text, size_t size);
