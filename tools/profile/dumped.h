/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints profiles that are like others as the tables of reference/dumps/dumps.h. */
#pragma once

#include "tools/profile/text.h"

/* Prints them as C, in this order. Returns false if they are too large, or if one has no `like`. */
bool profile_print_dumped(FILE *out, struct profile_file *const *files, unsigned count, profile_base *base);
