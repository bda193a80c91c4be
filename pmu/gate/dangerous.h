/* Experiments that have hurt machines, or could: off unless the user names them in the option dangerous=NAME,... */
#pragma once

#include "boot/bits.h"

/* All there are, with commas. */
extern const char dangerous_names[];
/* Is this one unlocked? */
bool dangerous(const char *name);
/* The same, or the PMU is a model, which nothing hurts. */
bool dangerous_allowed(const char *name);
/* It is one, from now on. */
void dangerous_harmless(void);
/* Names that do not exist: NULL, or the first of them. What was given is named in the log by the harness. */
const char *dangerous_unknown(char *text, size_t size);
/* What the user gave; "" if nothing. */
const char *dangerous_given(void);
