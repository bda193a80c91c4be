/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a PMU is good for, in plain words, derived from the outcomes of a run's tests: each purpose depends on tests
 * that must pass, and on others that should. Pure.
 */
#pragma once

#include "harness/report/fold.h"
#include "harness/report/outcomes.h"

enum purpose_answer { PURPOSE_YES, PURPOSE_WITH_CARE, PURPOSE_UNKNOWN, PURPOSE_NO };

struct purpose {
    const char *what;          /* permanent, for the log: "rr" */
    const char *words;         /* for people */
    const char *must, *should; /* globs for tests, separated by commas */
};
extern const struct purpose purposes[];
extern const unsigned purpose_count;

/* An answer, and the test that decided it: NULL if all passed. */
struct purpose_finding {
    enum purpose_answer answer;
    const char *test;
    enum outcome outcome; /* of that test */
};

/*
 * "no" if a test that must pass fails, is an error or is skipped, because the PMU then lacks what it takes. "with care"
 * if such a test is up for review or excused by an erratum, or if a test that should pass was run and did not.
 * PURPOSE_UNKNOWN if not all tests that must pass were run.
 */
struct purpose_finding purpose_judge(const struct purpose *purpose, const struct outcomes *outcomes);
/* "yes", "with-care", "unknown", "no": permanent. */
const char *purpose_answer_name(enum purpose_answer answer);
/* "passed", "is skipped", ...: the test's outcome, as the end of a sentence. */
const char *purpose_because(enum outcome outcome);

/* A measurement that says how good: the greatest sample of a run's test. */
struct purpose_fact {
    const char *what;        /* the purpose */
    const char *test, *name; /* of the measurement, as globs */
    const char *words;
};
extern const struct purpose_fact purpose_facts[];
#define PURPOSE_FACTS 3

/* The greatest sample of each so far. */
struct purpose_measures {
    const char *unit[PURPOSE_FACTS]; /* NULL: not measured */
    u64 greatest[PURPOSE_FACTS];
};
void purpose_note(struct purpose_measures *measures, const char *test, const struct folded *folded);
