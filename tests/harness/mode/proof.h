/*
 * The book that `prove` keeps: every check label that any test asked, and which defect made it fail. Pure.
 *
 * A label that no defect can fail proves nothing when it holds; a defect that no label notices is a hole in the tests.
 * Nor is a label proven by whatever fails in the wake of a defect of something else: only by one that is meant for its
 * test. And what it notices of one counter it need not notice of another: each register and bit is a key of its own.
 */
#pragma once

#include "harness/core/results.h"

#define PROOF_LABELS 1024
#define PROOF_KEYS 16384 /* on all profiles of a proof */

struct proof_label {
    const char *test, *label;
    bool unproven_by_design; /* the test says why in .unproven */
    u32 failed_runs;
    u32 proven_runs; /* of them: by a defect that is meant for the test */
    u16 first_key;   /* its keys: one more than an index; 0: none */
    bool failed_now; /* in the current run */
    u8 outcome;      /* enum outcome: the worst that failed_now was judged as */
    bool listed;     /* of the current run's failures, has been written */
};

/* What a label was asked of. */
struct proof_key {
    u32 msr; /* 0: no register */
    u16 next;
    u8 bit; /* NO_BIT: the whole register */
    bool asked_now, failed_now, failed, proven;
    bool plain; /* asked without any deviation: what only a deviation made a test look at need not be proven */
};

struct proof {
    struct proof_label row[PROOF_LABELS];
    struct proof_key key[PROOF_KEYS];
    unsigned count, keys;
    bool overflowed;
};

/* Begins a run: nothing has failed in it yet. */
void proof_begin(struct proof *proof);
/* Notes the judged results of one CPU. */
void proof_note(struct proof *proof, const struct test_declaration *test, const struct results *results);
/* Ends a run without a deviation: what was asked in it has to be proven. */
void proof_end_plain(struct proof *proof);
/* Has a check failed in the current run? */
bool proof_any(const struct proof *proof);
/*
 * Ends a run: what failed now counts as failed, and as proven if its test matches the globs; NULL: all do. Returns how
 * many labels failed in it.
 */
unsigned proof_end(struct proof *proof, const char *meant);
/* Writes "test/label,..." of those that failed in the current run; what does not fit is counted: "+3". */
const char *proof_caught(const struct proof *proof, char *text, size_t size);
/* How many labels no defect that is meant for them has failed, those of .unproven tests left out. */
unsigned proof_unproven(const struct proof *proof);
