/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The results of one CPU in one test: checks by label and register, measurements, an outcome with its reason. The CPU
 * fills them in, in memory of its own; afterwards the boot CPU judges, folds and prints them. Pure.
 *
 * While a repeat is open (results_open) everything goes into a journal, and counts only if the repeat was clean.
 */
#pragma once

#include "harness/core/aspect.h"
#include "harness/core/cell.h"
#include "harness/core/form.h"
#include "harness/core/reason.h"
#include "harness/core/tally.h"
#include "kernel/register/msr.h"
#include "pmu/cpu/counters.h"

#define CHECKS_MAX 256
#define MEASURES_MAX 10
#define JOURNAL_MAX 320 /* a batch: four repeats of a test that makes four entries for each of 17 counters */
#define REASON_SIZE 160
#define NOTES_MAX 24
#define NOTE_SUBJECT 56
#define NOTE_TEXT 160

enum check_kind { CHECK_EQUAL, CHECK_TRUE, CHECK_RANGE, CHECK_FAULT };

/* How a check failed, over all its repeats: what is wrong in any of them, and the largest error. */
struct failing {
    u64 set, clear;  /* bits that are 1 and should be 0; bits that are 0 and should be 1; both ~0: bits do not matter */
    u64 distance;    /* distance of the farthest value from the right one; ~0: values do not matter */
    u64 wanted;      /* bits that are 1 in every value that was right */
    bool more, less; /* some values are too high; some are too low */
    bool varied;     /* they are not all wrong by the same amount */
    /* filled in by the judge, for the log: circumstances that an erratum may require */
    bool smi;         /* an SMI came during the test */
    bool beside_stop; /* wrong bits of a counter that may have overflowed as it was stopped */
};

/* One checked subject: label, register and bit together. got, want and high belong to the worst failure. */
struct check {
    const char *label;
    u32 msr;     /* 0: no register */
    u64 aspects; /* enum aspect: what the check asks */
    u8 bit;      /* NO_BIT: the whole register */
    u8 kind;     /* enum check_kind */
    bool repeated : 1;
    bool difference : 1; /* of two runs: a value too low in the first one makes it too high */
    bool held_again : 1; /* it failed, but held when the whole test was repeated */
    bool cell_fails : 1; /* in one of its cells it fails every time */
    bool surrounded : 1; /* it failed only with something around it (harness/core/around.h) */
    u8 outcome;          /* enum outcome; filled in by the judge */
    u16 cell;            /* cell_number() of this repeat's cell */
    u32 held, failed;
    u64 got, want, high;
    const char *words; /* for CHECK_TRUE: what was expected; a constant text */
    struct failing failing;
    struct cell_set failed_in; /* the cells of repeats that failed; in a single repeat its own */
    struct cell_set held_in;   /* the cells of repeats that held */
    const char *erratum;       /* filled in by the judge, as is the next */
    const char *grounds;       /* without a log of its class: why it fails, is up for review or only told; or NULL */
};
#define NO_BIT 0xff

/* A cell in which a check has failed: how often it failed since then, and how often it held again. */
struct cell_tally {
    u16 check, cell;
    u32 failed, held;
};
#define CELL_TALLIES 192
#define CELL_TRIES 3 /* so many repeats in a cell before a check counts as always failing there */

struct measurement {
    const char *name, *unit;
    struct histogram histogram;
};

/* A line of the log without a verdict: "# kind subject cpus=... text rest". */
struct note {
    const char *kind;           /* "bits", "advice": a constant text */
    char subject[NOTE_SUBJECT]; /* the line's subject: "reg=IA32_PERFEVTSEL0" */
    char text[NOTE_TEXT];       /* what this CPU found */
    const char *rest;           /* the end of the line, which is always the same; a constant text */
    bool machine;               /* about the whole machine: no cpus= */
};

struct journal_entry {
    const char *name, *unit; /* unit: set for a measurement; NULL for a check */
    struct check check;
    u64 sample;
};

/* An access that faulted although the register exists, and which ended the test. */
struct denied {
    u32 msr; /* 0: none */
    fault_t fault;
    char text[REASON_SIZE]; /* "unexpected #GP at rdmsr IA32_PERF_GLOBAL_INUSE" */
};

struct results {
    enum outcome outcome;
    enum reason code;
    char reason[REASON_SIZE];
    struct denied denied; /* the judge decides what it means */
    struct check check[CHECKS_MAX];
    unsigned checks, next; /* next: where the next check probably is */
    struct cell_tally tally[CELL_TALLIES];
    unsigned tallies;
    u8 width;        /* width of the counter whose values are compared; 0: 64 bits */
    u64 beside_stop; /* bits of counters that overflowed as they were stopped, so far in this run */
    u32 smis;        /* SMIs that came during the test, if the CPU counts them */
    struct measurement measure[MEASURES_MAX];
    unsigned measures;
    struct note note[NOTES_MAX];
    unsigned notes, notes_dropped;
    struct journal_entry journal[JOURNAL_MAX];
    unsigned journalled;
    bool open, overflowed; /* overflowed: there were more checks or measurements than there is room for */
    bool loose;            /* a check failed outside any bracket */
    u64 started;           /* bits of the counters that the test started last */
    u64 about;             /* enum aspect of the next check; 0: as its test or helper says */
    u32 repeats;           /* clean repeats of all repeated blocks of the test */
    u32 discarded;
    bool throttled;                   /* the clock was slowed in this repeat */
    u64 deadline;                     /* TSC value until which repeats beyond the minimum may be made */
    struct tally slope[COUNTERS_MAX]; /* memory for count_slope() */
    const char *unasked;              /* label of PMIs that came unexpectedly; NULL: none came */
    struct histogram ticks;           /* how long a repeated block takes */
    void *leave[5];                   /* where skip() and error() return to */
};

/* Notes the cell in a check, if the test has cells. */
static inline void cell_note(const struct test *t, struct check *check)
{
    if (!t->cells)
        return;
    check->cell = (u16)cell_number(&t->cell);
    check->failed_in = cell_set_of(t->declaration->cells, &t->cell);
}

void results_clear(struct results *results);
/* Raises the outcome. Code and reason of the most severe one stay, of several equal ones those of the first. */
void results_raise(struct results *results, enum outcome outcome, enum reason code, const char *reason);
/* An access faulted that must not: the first one in a test is kept, for the judge. */
void results_deny(struct results *results, u32 msr, fault_t fault, const char *text);
/* The aspect of the next check, enum aspect: the one named in its call, otherwise its helper's. */
u64 results_about(struct results *results, u64 otherwise);
/* Records one check that held or failed. `check` has label, msr, bit, kind, got, want, high. */
void results_check(struct results *results, const struct check *check, bool held);
/* Records a check over many repeats at once: `failed` of `repeats` did not hold. */
void results_check_many(struct results *results, const struct check *check, u32 repeats, u32 failed);
/* The same check (label, register and bit) in these results; NULL if it was not made. */
const struct check *results_find(const struct results *results, const struct check *check);
/*
 * Takes over a check of another run of the same test, in which it failed with something around it. Returns its place in
 * `results`, or -1 if there is no room.
 */
int results_adopt(struct results *results, const struct check *check);
void results_measure(struct results *results, const char *name, const char *unit, u64 sample);
/* Records a note, once; notes without room are counted. It does not belong to a repeat. */
void results_note(struct results *results, const struct note *note);
bool note_same(const struct note *a, const struct note *b);
/* Begins a repeat; results_close(clean) keeps its records, or forgets them. Returns whether a check failed in it. */
void results_open(struct results *results);
bool results_close(struct results *results, bool clean);
/* The size of a check's error, to find the worst: equal for two checks that are equally wrong. */
u64 results_wrong_by(const struct check *check);
/* Number of checks that were made, that held and that failed. */
u64 results_checked(const struct results *results);
