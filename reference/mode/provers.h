/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which defects to show where there is little time: each chosen one makes as many labels fail as possible that no
 * earlier one did, with few tests. What fails a label says tests/labels.txt, which each whole proof confirms; what
 * of it failed here is noted label by label. Pure.
 */
#pragma once

#include "harness/core/results.h"
#include "harness/test.h"

#define PROVERS_MOST 1280    /* rows of the table */
#define PROVERS_EACH 4       /* defects of a row that count */
#define PROVERS_DEFECTS 1280 /* deviations that may exist */
#define PROVERS_NAME 64

struct prover {
    const char *test, *label, *by; /* defects, separated by commas */
};
/* Sorted by test. */
extern const struct prover provers[];
extern const unsigned prover_count;

/* What is known of a label, as bits. */
enum {
    PROVER_OPEN = 1,      /* its test may run, and nothing has made it fail */
    PROVER_PLAIN = 2,     /* its test ran without a defect */
    PROVER_HELD = 4,      /* and asked it, and it held */
    PROVER_NOW = 8,       /* it failed in the present run */
    PROVER_TRIED = 16,    /* a defect that is for it was run */
    PROVER_SHOWN = 32,    /* one made it fail */
    PROVER_ERROR = 64,    /* in the present run its test could not do its work */
    PROVER_UNKNOWN = 128, /* so that it is unknown whether one would have */
};
struct provers_book {
    u8 row[PROVERS_MOST];
    u16 by[PROVERS_MOST][PROVERS_EACH]; /* indexes into `deviations`, and 1 more; 0: no further one */
    bool plain;                         /* the present run is without a defect */
};

/* The labels of these tests are open, and nothing is known of them. */
void provers_begin(struct provers_book *book, const struct test_declaration *const *tests, unsigned count);
/*
 * The next defect, as an index into `deviations`: of those that `may` be shown, the one that is for most open labels of
 * each test that it needs, of which there are at most `runs`. -1: there is none.
 */
int provers_next(const struct provers_book *book, const bool *may, unsigned runs);
/* Has the test an open label, which this defect is for? */
bool provers_wants(const struct provers_book *book, int deviation, const char *test);
/* Did the test run without a defect? */
bool provers_ran(const struct provers_book *book, const char *test);
/* A run begins. */
void provers_run(struct provers_book *book, bool plain);
/* Notes the judged results of one CPU. */
void provers_note(struct provers_book *book, const char *test, const struct results *results);
/* Ends a run without a defect of this test: labels that it did not ask, or that failed, are none of those to show. */
void provers_end_plain(struct provers_book *book, const char *test);
/*
 * Ends the run of a defect. `could`: it may have changed what the run came to; if not, nothing is known of labels that
 * held; nor if the test noticed it by another label, as on some CPUs. Returns how many labels failed, in tests that the
 * defect is meant for.
 */
unsigned provers_end(struct provers_book *book, int deviation, bool could);
unsigned provers_shown(const struct provers_book *book);
/* Has every defect that is for this label been shown in vain, or is none left that `may` be shown, and one was? */
bool provers_in_vain(const struct provers_book *book, const bool *may, unsigned row);
/* The row of a label; -1: it has none. */
int provers_row(const char *test, const char *label);
