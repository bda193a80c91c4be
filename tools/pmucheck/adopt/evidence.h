/* What a log of real silicon shows passing, as rows of tests/harness/core/evidence.def. Pure. */
#pragma once

#include "tools/pmucheck/log/facts.h"
#include <stdio.h>

/* NULL if the run can be evidence for its class of CPUs; else why not. */
const char *evidence_refusal(const struct facts *facts);
/* Has the text of evidence.def a row of a log of this name? */
bool evidence_has(const char *rows, const char *name);

/* What became of the log's tests. */
struct evidence_count {
    unsigned tests, checks; /* that are evidence now */
    unsigned unknown;       /* checks that no test of today has */
    unsigned open;          /* tests that failed, ended in an error or ask for review: a person has to look */
};
/* Writes a comment that says whose log it is, and a row for each test that passed, or failed as an erratum says. */
struct evidence_count evidence_write(FILE *out, const struct facts *facts, const char *name);
