/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Differences between two passes of the same tests or walks: tests, their labels, errata, and the choices of CPUs that
 * walks found. For a test and for a label the most severe outcome over all CPUs and repeats counts. A subject that only
 * one pass tested, and found to hold, is no change. Pure.
 */
#pragma once

#include "harness/core/errata_book.h"

#define CHANGES_MAX 4096
#define CHANGES_LINE 200

enum change_kind { CHANGE_TEST, CHANGE_LABEL, CHANGE_ERRATUM, CHANGE_CHOICE, CHANGE_KINDS };

struct change {
    const struct test_declaration *test; /* NULL: the row is an erratum or a choice */
    const char *name;                    /* label, erratum's number, choice; NULL: the test as a whole */
    u32 core_type;                       /* for an erratum: first CPU of that kind of core */
    u8 kind;
    u8 came[2]; /* before, after. 0: not met; else outcome, state of an erratum plus 1, or 1 for a choice */
};

struct changes {
    struct change row[CHANGES_MAX];
    unsigned count, dropped; /* dropped: rows without room */
    bool second;             /* what is noted now belongs to the second pass */
};

/* Notes the outcome of a test as a whole. */
void changes_outcome(struct changes *changes, const struct test_declaration *test, enum outcome outcome);
/* Notes the judged results of one CPU: each of its checks. */
void changes_results(struct changes *changes, const struct test_declaration *test, const struct results *results);
void changes_erratum(struct changes *changes, u32 core_type, const char *number, enum erratum_state state);
void changes_choice(struct changes *changes, const char *name);
/* Writes one line per change; the last line has the totals, with how many were the same. */
void changes_tell(const struct changes *changes, void (*tell)(const char *line));
