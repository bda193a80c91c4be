/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of tests for results that came without them. */
#pragma once

#include "tools/arena.h"
#include "tools/pmucheck/log/log.h"

/* The ids of all tests of the image that was built with this program, sorted, one on each line. Generated. */
extern const char scan_names_built_in[];

/* All ids in a log, from its results or from the option list, sorted, one on each line. */
const char *scan_names_of_log(struct arena *arena, const struct log_file *file);
/* Their check sum, as in "# outcomes". */
uint32_t scan_names_sum(const char *names);
