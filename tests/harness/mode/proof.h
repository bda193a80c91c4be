/*
 * The book that `prove` keeps: every check label that any test asked, and which defect made it fail. Pure.
 *
 * A label that no defect can fail proves nothing when it holds; a defect that no label notices is a hole in the tests.
 */
#pragma once

#include "harness/run/results.h"

#define PROOF_LABELS 512

struct proof_label {
    const char *test, *label;
    bool unproven_by_design; /* the test says why in .unproven */
    u32 failed_runs;
    bool failed_now; /* in the current run */
    u8 outcome;      /* enum outcome: the worst that failed_now was judged as */
    bool listed;     /* of the current run's failures, has been written */
};

struct proof {
    struct proof_label row[PROOF_LABELS];
    unsigned count;
    bool overflowed;
};

/* Begins a run: nothing has failed in it yet. */
void proof_begin(struct proof *proof);
/* Notes the judged results of one CPU. */
void proof_note(struct proof *proof, const struct test_declaration *test, const struct results *results);
/* Ends a run: what failed now counts as failed. Returns how many labels failed in it. */
unsigned proof_end(struct proof *proof);
/* Writes "test/label,..." of those that failed in the current run; what does not fit is counted: "+3". */
const char *proof_caught(const struct proof *proof, char *text, size_t size);
/* How many labels no run has failed, those of .unproven tests left out. */
unsigned proof_unproven(const struct proof *proof);
