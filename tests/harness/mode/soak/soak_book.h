/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The book of a soak run: for each test how many repeats were made and how many failed, and for each failing check on
 * which CPU how often. Without a failure the repeats still bound the rate that may have been missed. Pure.
 */
#pragma once

#include "harness/core/results.h"
#include "harness/report/fold.h"
#include "harness/run/run.h"

#define SOAK_FAILURES 256

struct soak_row {
    u64 repeats, failures; /* on all CPUs; a test without repeats counts one per run */
    u32 runs, failed_runs; /* of one CPU each */
    enum outcome worst;
    enum reason code;
    char reason[REASON_SIZE]; /* both from the first run with that outcome */
};

struct soak_failure {
    const struct test_declaration *test;
    const char *label;
    u32 cpu;
    u64 repeats, failures;
    struct check check; /* the first one that failed, as it was judged */
};

struct soak_book {
    const struct selection *selection;
    struct soak_row row[TESTS_MAX]; /* in the selection's order */
    struct soak_failure failure[SOAK_FAILURES];
    unsigned failed;
    u32 dropped; /* failures without room */
};

/* Opens an empty book for the tests of `selection`, which must stay in memory. */
void soak_open(struct soak_book *book, const struct selection *selection);
/* Notes the judged results of one CPU in one run. */
void soak_note(struct soak_book *book, const struct test_declaration *test, u32 cpu, const struct results *results);
/* Was any test run, and not skipped? */
bool soak_ran(const struct soak_book *book);
/*
 * The outcome of a test's runs: `fail` only if at least half of them failed; rarer failures are for a person to look
 * at. OUTCOME_SKIP if there was no run.
 */
enum outcome soak_outcome(const struct soak_row *row);
/* The result of the selection's n-th test, with its failed checks: how often each failed in the whole soak. */
void soak_result(const struct soak_book *book, unsigned n, struct folded *folded);
