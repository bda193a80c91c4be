/* Experiments that have hurt machines, or could: off unless the user names them in the option dangerous=NAME,... */
#pragma once

#include "boot/bits.h"

/* All there are, with commas. */
extern const char dangerous_names[];
/* Is this one unlocked? */
bool dangerous(const char *name);
/* Names that do not exist: NULL, or the first of them. What was given is named in the log by the harness. */
const char *dangerous_unknown(char *text, size_t size);
/* What the user gave; "" if nothing. */
const char *dangerous_given(void);
