/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The steps of the start. Each logs a line before it begins, so that a machine that hangs shows where: on the serial
 * line, on the screen and at its next start. Steps that some machines do not survive can be left out, by the option
 * skip-step, or automatically after the previous start hung in them.
 */
#pragma once

#include "boot/bits.h"

/* The step after the last one: the tests. */
#define START_STEP_TESTS "tests"

/* Logs that a step begins. False: the step is to be left out; the log says so the first time. */
bool start_step(const char *name);
/* The previous start hung in `name`: this start leaves that step out, if the image can do without it. */
void start_step_hung(const char *name);
/* How many steps were left out although the option did not ask for it: the run lacks what they provide. */
unsigned start_steps_missing(void);
/* The first name in skip-step= that is not a step; NULL if there is none. */
const char *start_step_unknown(void);
