/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of a profile's table of events. Only the files of tools/profile/ use it. */
#pragma once

#include "tools/profile/form.h"

/* Reads the rest of a line after the word `event` into the next row of the reader's profile. */
bool profile_read_event(struct profile_reader *r);
/* Prints the rows as C. */
void profile_print_events(FILE *out, const struct profile_event *rows);
/* Prints the meaning of each name as a Markdown table; returns 0. */
int profile_print_meanings(FILE *out);
