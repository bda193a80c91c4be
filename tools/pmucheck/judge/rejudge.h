/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Judges a recorded log again by the rules that this program was built with: errata, evidence, labels. The recorded
 * facts stay the same; their judgement may change, for instance by a new erratum. The judge is the image's own
 * (tests/harness/core/judge.h), with the capabilities from the log.
 */
#pragma once

#include "tools/json.h"
#include "tools/pmucheck/log/log.h"
#include <stdio.h>

/* Does a present test have this check? */
bool rejudge_label_known(const char *test, const char *label);
/*
 * Writes the changes of each run, and the verdict then and now: as text to `out`, and as an object for each start of
 * the image to `boots` (see pmucheck judge --help); either may be NULL. Returns the exit status of the new verdict.
 */
enum log_status rejudge(FILE *out, json_object *boots, const struct log_file *file);
