/* Names of tests for results that came without them. */
#pragma once

#include "tools/arena.h"
#include "tools/pmucheck/log/log.h"

/* The ids of all tests of the image that was built with this program, sorted, a line each. Generated. */
extern const char scan_names_built_in[];

/* All ids that a log names, by results or by the option list, sorted, a line each. */
const char *scan_names_of_log(struct arena *arena, const struct log_file *file);
/* The check sum that "# outcomes" has of them. */
uint32_t scan_names_sum(const char *names);
