/*
 * What came out otherwise the second time that the same tests or walks were made: tests, what they ask by label,
 * errata, and what walks found that CPUs have chosen. Of a test and a label the severest outcome over all CPUs and
 * repeats counts; what one of the two times only asked, and found to hold, is no change. Pure.
 */
#pragma once

#include "harness/core/errata_book.h"

#define CHANGES_MAX 4096
#define CHANGES_LINE 200

enum change_kind { CHANGE_TEST, CHANGE_LABEL, CHANGE_ERRATUM, CHANGE_CHOICE, CHANGE_KINDS };

struct change {
    const struct test_declaration *test; /* NULL: an erratum, or a choice */
    const char *name;                    /* label, erratum's number, choice; NULL: the test as a whole */
    u32 core_type;                       /* of an erratum: first CPU of that kind of core */
    u8 kind;
    u8 came[2]; /* before, after. 0: not at all; then an outcome, a state of an erratum from 1 on, 1 of a choice */
};

struct changes {
    struct change row[CHANGES_MAX];
    unsigned count, dropped; /* dropped: found no room */
    bool second;             /* what is noted now came the second time */
};

/* A test as a whole. */
void changes_outcome(struct changes *changes, const struct test_declaration *test, enum outcome outcome);
/* What one CPU found, judged: each of its checks. */
void changes_results(struct changes *changes, const struct test_declaration *test, const struct results *results);
void changes_erratum(struct changes *changes, u32 core_type, const char *number, enum erratum_state state);
void changes_choice(struct changes *changes, const char *name);
/* One line for each change; the last one counts, and tells how much came out the same. */
void changes_tell(const struct changes *changes, void (*tell)(const char *line));
