/*
 * What a PMU is good for, in plain words, from how the tests of a run came out: each purpose rests on tests that must
 * pass, and on others that should. Pure.
 */
#pragma once

#include "harness/report/outcomes.h"

enum purpose_answer { PURPOSE_YES, PURPOSE_WITH_CARE, PURPOSE_UNKNOWN, PURPOSE_NO };

struct purpose {
    const char *what;          /* permanent, for the log: "rr" */
    const char *words;         /* for people */
    const char *must, *should; /* globs over tests, with commas between */
};
extern const struct purpose purposes[];
extern const unsigned purpose_count;

/* An answer, and the test that it hangs on: NULL where all passed. */
struct purpose_finding {
    enum purpose_answer answer;
    const char *test;
    enum outcome outcome; /* of that test */
};

/*
 * Of what must pass, a failure, an error or a skip says no, since the PMU has not what it takes; a review or an erratum
 * asks for care, and so does what should pass and was not skipped. Else PURPOSE_UNKNOWN if not all that must pass was
 * run.
 */
struct purpose_finding purpose_judge(const struct purpose *purpose, const struct outcomes *outcomes);
/* "yes", "with-care", "unknown", "no": permanent. */
const char *purpose_answer_name(enum purpose_answer answer);
/* "passed", "is skipped", ...: what came out of the test, as the end of a sentence. */
const char *purpose_because(enum outcome outcome);
