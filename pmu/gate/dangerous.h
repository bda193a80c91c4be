/* SPDX-License-Identifier: BSD-2-Clause */
/* Experiments that have hurt machines, or could: off unless the user names them in the option dangerous=NAME,... */
#pragma once

#include "boot/bits.h"

/* All names, separated by commas. */
extern const char dangerous_names[];
/* Is this experiment unlocked? */
bool dangerous(const char *name);
/* Is it unlocked, or is the PMU a model, which cannot be hurt? */
bool dangerous_allowed(const char *name);
/* Is the PMU a model from now on, or the machine's own again? */
void dangerous_harmless(bool model);
/* The first name in the option that does not exist; NULL if all exist. */
const char *dangerous_unknown(char *text, size_t size);
/* The option's text; "" without the option. */
const char *dangerous_given(void);
