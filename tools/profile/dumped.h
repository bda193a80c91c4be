/* Profiles that are like others as the tables of pmu/reference/dumps/dumps.h. */
#pragma once

#include "tools/profile/text.h"

/* Prints them as C, in this order. False: there is too much of them, or one is like none. */
bool profile_print_dumped(FILE *out, struct profile_file *const *files, unsigned count, profile_base *base);
