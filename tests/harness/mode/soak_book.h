/*
 * What a soak run keeps: of each test how many repeats were made and how many failed, and of each failing check on
 * which CPU how often. Where nothing failed there is still a bound on what may have been missed. Pure.
 */
#pragma once

#include "harness/core/results.h"
#include "harness/run/select.h"

#define SOAK_FAILURES 256

struct soak_row {
    u64 repeats, failures; /* on all CPUs; a test without repeats makes one a run */
    u32 runs, failed_runs; /* of a CPU each */
    enum outcome worst;
    enum reason code;
    char reason[REASON_SIZE]; /* both of the first run that came out like that */
};

struct soak_failure {
    const struct test_declaration *test;
    const char *label;
    u32 cpu;
    u64 repeats, failures;
};

struct soak_book {
    const struct selection *selection;
    struct soak_row row[TESTS_MAX]; /* in the selection's order */
    struct soak_failure failure[SOAK_FAILURES];
    unsigned failed;
    u32 dropped; /* failures that found no room */
};

/* An empty book for the tests of `selection`, which must stay. */
void soak_open(struct soak_book *book, const struct selection *selection);
/* Notes the judged results of one CPU in one run. */
void soak_note(struct soak_book *book, const struct test_declaration *test, u32 cpu, const struct results *results);
/*
 * What a test's runs come to: `fail` only if at least half of those that were made failed; more seldom failures are for
 * a person to look at. OUTCOME_SKIP if none was made.
 */
enum outcome soak_outcome(const struct soak_row *row);
