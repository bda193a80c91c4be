/* A run of the selected tests on one PMU: the machine's own, or the reference PMU with one deviation or none. */
#pragma once

#include "harness/core/judge.h"
#include "harness/mode/runs.h"
#include "harness/run/run.h"
#include "harness/run/select.h"

/* What stays the same for all runs. */
struct session {
    const struct registry *registry; /* all tests of the image */
    struct selection selection;      /* the tests that are run */
    struct cpu_set cpus;             /* that take part in tests */
    u32 repeat;                      /* how often all tests are run */
    bool shuffle;                    /* in an order drawn by seed, another one each time */
    u64 seed;
    bool failfast;        /* nothing is run after the first failure, error or review */
    bool (*enough)(void); /* nor after it has become true; NULL: never */
    bool apart; /* the reference PMU is as at power-up before each test: what one test breaks does not fail another */
    bool quiet; /* no lines of single tests: a proof that is not logged in full */
    const struct observer *observer; /* NULL: no notes are taken */
    const char *leg;                 /* "before", "after" an update of microcode; NULL: there is none */
    /* One more result behind the tests, with its line of that number; NULL: there is none. */
    void (*last)(const struct session *session, u32 number, struct totals *totals);
};

/*
 * Puts every CPU on the PMU of `run` and prints its `# run` and `# core-type` lines (not if quiet). Returns NULL, or
 * why it cannot be used: the reference PMU is missing, or miscounts.
 */
const char *session_arm(const struct session *session, const struct pmu_run *run);
/*
 * The same PMU once more, with what has become of it since: its capabilities are had anew, and told as by
 * session_arm(), nothing is reset.
 */
const char *session_go_on(const struct session *session);
/* Runs all selected tests and adds to *totals. outcomes (may be NULL) gets one for each, in order of the selection. */
void session_tests(const struct session *session, u8 *outcomes, struct totals *totals);
/* Adds a result that did not come out of session_tests(). */
void session_add(struct totals *totals, const struct test_declaration *test, const struct folded *folded);
/* Has enough been seen, as failfast was asked for? What is left gets its line in the log all the same. */
bool session_over(const struct session *session, const struct totals *totals);
#define SESSION_OVER "not run: failfast, and not all before it passed"
/* What the CPUs of a run are on. */
const struct pmu_run *session_run(void);
/* Are the CPUs on the reference PMU? Then nothing of the machine's own can be handed back. */
bool session_on_reference(void);
