/*
 * The steps of the start. Each has its line before it begins, so that a machine that stands still tells where, on the
 * serial line, on the screen and at its next start; those that some machines do not survive can be left out, by the
 * option skip-step, or by themselves where the start before got no further.
 */
#pragma once

#include "boot/bits.h"

/* The step behind the last one: the tests. */
#define START_STEP_TESTS "tests"

/* Begins a step, with its line. False: it is to be left out, which the log tells the first time. */
bool start_step(const char *name);
/* The start before this one got no further than `name`: such a step is left out this time, if it can be. */
void start_step_hung(const char *name);
/* Steps that were left out without the option's asking for it: what they give is missing from the run. */
unsigned start_steps_missing(void);
/* The first name in skip-step= that no step has; NULL: there is none. */
const char *start_step_unknown(void);
