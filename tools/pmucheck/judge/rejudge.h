/*
 * A recorded log judged anew by the rules that this program was built with: errata, evidence, labels. What was seen
 * stays as it is; what it means may have changed, as when an erratum was entered since. The judging is the image's own
 * (tests/harness/core/judge.h), on the capabilities that the log tells.
 */
#pragma once

#include "tools/pmucheck/log/log.h"
#include <cjson/cJSON.h>
#include <stdio.h>

/* Has a test of today this check? */
bool rejudge_label_known(const char *test, const char *label);
/*
 * Writes what changes, run by run, and the verdict then and now, as text to `out`, and to `boots` an object for each
 * start of the image, as pmucheck judge --help tells; NULL: not there. Returns the exit status of the verdict now.
 */
enum log_status rejudge(FILE *out, cJSON *boots, const struct log_file *file);
