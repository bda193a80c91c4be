/*
 * Known differences: what a job has seen, looked at and lives with, as where a hypervisor's PMU is known to deviate. A
 * line each, "TEST LABEL VERSION", the version being that of the image that showed it; after "#" stands what people
 * want. Labels are permanent, so that a line holds for later versions as well. Pure.
 */
#pragma once

#include "tools/pmucheck/log/log.h"
#include <stdio.h>

struct expected {
    const char *test, *label, *version;
    unsigned line;
    bool seen;  /* some log has it */
    bool tried; /* some log's test came to a verdict without it */
};

struct expect {
    struct arena arena;
    LIST(struct expected) rows;
};

/* Reads the list. 0, or the line that is not as it should be. */
unsigned expect_read(struct expect *expect, const char *text, size_t size);
void expect_free(struct expect *expect);
/*
 * What the log shows of it. A test of which only known differences failed is LOG_KNOWN from then on, and its reason
 * says so. Each one that is not in the list is told, if `out` is not NULL.
 */
void expect_apply(struct expect *expect, struct log_file *file, FILE *out);
/* log_status() of a log to which a list was applied: a verdict of fail or review is made anew of its results. */
enum log_status expect_status(const struct log_file *file);
/* Tells of each one that no log shows any more, though its test ran; `path` is the list's. Returns how many. */
unsigned expect_tell_gone(const struct expect *expect, const char *path, FILE *out);
