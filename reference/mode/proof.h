/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The book of `prove`: every check label of every test, and which defects made it fail. Pure.
 *
 * A label that no defect can fail proves nothing when it holds; a defect that no label notices is a hole in the tests.
 * A label that fails as a side effect of another defect is not proven: only a defect that is meant for its test proves
 * it. A failure noticed on one counter need not be noticed on another: each register and bit is a key of its own.
 */
#pragma once

#include "harness/core/results.h"

#define PROOF_LABELS 1024
#define PROOF_KEYS 16384 /* for all profiles of a proof */

struct proof_label {
    const char *test, *label;
    bool unproven_by_design; /* the test gives a reason in .unproven */
    u32 failed_runs;
    u32 proven_runs;      /* failing runs with a defect that is meant for the test */
    u16 first_key;        /* its first key: index + 1; 0: none */
    bool failed_now;      /* in the current run */
    u8 outcome;           /* enum outcome: the worst judgement in the current run */
    const char *known_by; /* an erratum that excused it in the current run; NULL: none did */
    bool listed;          /* its failure in the current run was written to the log */
};

/* A register and bit that a label checked. */
struct proof_key {
    u32 msr; /* 0: no register */
    u16 next;
    u8 bit; /* NO_BIT: the whole register */
    bool asked_now, failed_now, failed, proven;
    bool plain; /* checked without any deviation: what a test checks only under a deviation need not be proven */
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
/* Ends a run without a deviation: everything checked in it has to be proven. */
void proof_end_plain(struct proof *proof);
/* Has this erratum excused a check in the current run? */
bool proof_known_by(const struct proof *proof, const char *erratum);
/* Has a check failed in the current run? */
bool proof_any(const struct proof *proof);
/*
 * Ends a run: labels that failed count as failed, and as proven if their test matches the globs (NULL: all do). Returns
 * how many labels failed.
 */
unsigned proof_end(struct proof *proof, const char *meant);
/* Writes "test/label,..." for the labels that failed in the current run; those without room are counted: "+3". */
const char *proof_caught(const struct proof *proof, char *text, size_t size);
/* How many labels were not failed by any defect meant for them, without tests that have .unproven. */
unsigned proof_unproven(const struct proof *proof);
