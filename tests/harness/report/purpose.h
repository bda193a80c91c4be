/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a PMU is good for, in plain words, derived from the outcomes of a run's tests: each purpose depends on tests
 * that must pass, and on others that should. Pure.
 */
#pragma once

#include "harness/report/fold.h"
#include "harness/report/outcomes.h"
#include "pmu/cpu/class.h"

/* The worst one last. PURPOSE_ABSENT: this CPU has not what it takes, or no test has asked for it. */
enum purpose_answer { PURPOSE_YES, PURPOSE_WITH_CARE, PURPOSE_ABSENT, PURPOSE_NO };

struct purpose {
    const char *what;  /* permanent, for the log: "rr" */
    const char *words; /* for people */
    /* Ids of tests, separated by commas; of those with "|" between them one is enough: CPUs have one or the other. */
    const char *must;
    const char *should; /* globs for tests */
    /* Where the tests of `must` do not apply, these classes can do it in another way, with its own tests. NULL: none */
    bool (*other_way)(enum cpu_class class);
    const char *other_must, *other_words;
};
extern const struct purpose purposes[];
extern const unsigned purpose_count;
#define PURPOSES_MOST 8

/* An answer, and the test that decided it: NULL if all passed. */
struct purpose_finding {
    enum purpose_answer answer;
    const char *test;
    enum outcome outcome; /* of that test */
    const char *way;      /* the other way, in words; NULL: the usual one */
};

/*
 * "no" if a test that must pass fails, or is an error. "absent" if no test of such a group was run and not skipped.
 * "with care" if such a test is up for review or excused by an erratum, or if a test that should pass was run and did
 * not. `class`: of the CPU that the outcomes are about.
 */
struct purpose_finding purpose_judge(const struct purpose *purpose, const struct outcomes *outcomes,
                                     enum cpu_class class);
/* "yes", "with-care", "absent", "no": permanent. */
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
