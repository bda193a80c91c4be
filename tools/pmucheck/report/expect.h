/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Known differences, which a person examined and accepted for a job, for instance of a hypervisor's PMU. Each has a
 * line "TEST LABEL VERSION", with the version of the image that showed it; after "#" stands a comment. Labels are
 * permanent, so that a line is valid for later versions as well. Pure.
 */
#pragma once

#include "tools/pmucheck/log/log.h"
#include <stdio.h>

struct expected {
    const char *test, *label, *version;
    unsigned line;
    bool seen;  /* a log has it */
    bool tried; /* in a log the test came to a verdict without it */
};

struct expect {
    struct arena arena;
    LIST(struct expected) rows;
};

/* Reads the list. Returns 0, or the number of a malformed line. */
unsigned expect_read(struct expect *expect, const char *text, size_t size);
void expect_free(struct expect *expect);
/*
 * Compares a log with the list. A test with only known differences becomes LOG_KNOWN, with that reason. Differences
 * outside the list are written to `out`, if it is not NULL.
 */
void expect_apply(struct expect *expect, struct log_file *file, FILE *out);
/* log_status() of a log after expect_apply(): instead of a verdict of fail or review takes the verdict of its
 * results. */
enum log_status expect_status(const struct log_file *file);
/* Writes each line of the list that no log shows any more although its test ran; `path` is the list's. Returns their
 * number. */
unsigned expect_tell_gone(const struct expect *expect, const char *path, FILE *out);
