/*
 * What one CPU found out in one test: checks by label and register, measurements, an outcome with its reason. Filled
 * by the CPU itself, in memory of its own; judged, folded and printed by the boot CPU afterwards. Pure.
 *
 * While a repeat is open (results_open) everything goes into a journal, and counts only if the repeat was clean.
 */
#pragma once

#include "harness/core/aspect.h"
#include "harness/core/cell.h"
#include "harness/core/form.h"
#include "harness/core/histogram.h"
#include "harness/core/reason.h"
#include "harness/core/tally.h"
#include "kernel/register/msr.h"
#include "pmu/cpu/counters.h"

#define CHECKS_MAX 256
#define MEASURES_MAX 8
#define JOURNAL_MAX 256 /* four repeats of a test that checks each of 24 counters twice: a batch */
#define REASON_SIZE 160
#define NOTES_MAX 24
#define NOTE_SUBJECT 56
#define NOTE_TEXT 160

enum check_kind { CHECK_EQUAL, CHECK_TRUE, CHECK_RANGE, CHECK_FAULT };

/* How a check failed, over all its repeats: what is wrong in any of them, and by how much at worst. */
struct failing {
    u64 set, clear;  /* bits that are 1 and should be 0, that are 0 and should be 1; both ~0: not a matter of bits */
    u64 distance;    /* how far the farthest is from where it should be; ~0: not a matter of values */
    u64 wanted;      /* bits that are 1 in each value that should have been there */
    bool more, less; /* some are above where they should be; some are below */
    bool varied;     /* they are not all wrong by the same */
    /* filled by the judge, for the log: what an erratum may ask for */
    bool smi;         /* an SMI came during the test */
    bool beside_stop; /* wrong bits of a counter that may have overflowed as it was stopped */
};

/* One thing that was checked: label, register and bit together. got, want and high are those of the worst failure. */
struct check {
    const char *label;
    u32 msr;     /* 0: no register */
    u32 aspects; /* enum aspect: what it asks */
    u8 bit;      /* NO_BIT: the whole register */
    u8 kind;     /* enum check_kind */
    bool repeated : 1;
    bool difference : 1; /* of two runs: what is too low in the first of them is too high */
    bool held_again : 1; /* it failed, and did not when the whole test was made again */
    bool cell_fails : 1; /* in one of its cells it fails each time */
    u8 outcome;          /* enum outcome; filled by the judge */
    u16 cell;            /* cell_number() of this repeat's */
    u32 held, failed;
    u64 got, want, high;
    const char *words; /* of CHECK_TRUE, what was expected; lives for ever */
    struct failing failing;
    struct cell_set failed_in; /* the cells of its repeats that failed; of one repeat its own */
    struct cell_set held_in;   /* and of those that held */
    const char *erratum;       /* filled by the judge */
};
#define NO_BIT 0xff

/* A cell in which a check has failed: how often since then, and how often it has held there again. */
struct cell_tally {
    u16 check, cell;
    u32 failed, held;
};
#define CELL_TALLIES 192
#define CELL_TRIES 3 /* so often a cell is made before what fails there is held to fail there always */

struct measurement {
    const char *name, *unit;
    struct histogram histogram;
};

/* A line of the log that carries no verdict: "# kind subject cpus=... text rest". */
struct note {
    const char *kind;           /* "bits", "advice": lives for ever */
    char subject[NOTE_SUBJECT]; /* what the line is about: "reg=IA32_PERFEVTSEL0" */
    char text[NOTE_TEXT];       /* what this CPU found */
    const char *rest;           /* what is always said of it; lives for ever */
    bool machine;               /* of the whole machine: no cpus= */
};

struct journal_entry {
    const char *name, *unit; /* unit: a measurement; NULL: a check */
    struct check check;
    u64 sample;
};

/* An access that faulted although the register is there, which ended the test. */
struct denied {
    u32 msr; /* 0: none */
    fault_t fault;
    char text[REASON_SIZE]; /* "unexpected #GP at rdmsr IA32_PERF_GLOBAL_INUSE" */
};

struct results {
    enum outcome outcome;
    enum reason code;
    char reason[REASON_SIZE];
    struct denied denied; /* the judge says what it means */
    struct check check[CHECKS_MAX];
    unsigned checks, next; /* next: where the following check probably is */
    struct cell_tally tally[CELL_TALLIES];
    unsigned tallies;
    u8 width;        /* bits of a counter, by which values are apart; 0: those of a u64 */
    u64 beside_stop; /* bits of counters that overflowed as they were stopped, in this run up to now */
    u32 smis;        /* that came during the test, where the CPU counts them */
    struct measurement measure[MEASURES_MAX];
    unsigned measures;
    struct note note[NOTES_MAX];
    unsigned notes, notes_dropped;
    struct journal_entry journal[JOURNAL_MAX];
    unsigned journalled;
    bool open, overflowed; /* overflowed: more checks or measurements than there is room for */
    bool loose;            /* a check failed that no bracket surrounds */
    u64 started;           /* bits of the counters that the test last started */
    u32 about;             /* enum aspect that the next check is about; 0: as its test or helper says */
    u32 repeats;           /* clean ones, of all repeated blocks of the test */
    u32 discarded;
    bool throttled;                   /* in a repeat so far */
    u64 deadline;                     /* TSC until which repeats may go on beyond the least number */
    struct tally slope[COUNTERS_MAX]; /* room for count_slope() */
    const char *unasked;              /* label of PMIs that came while none was awaited; NULL: none did */
    struct histogram ticks;           /* how long a repeated block takes */
    void *leave[5];                   /* where skip() and error() go to */
};

/* Notes in a check of a test with cells in which it is made. */
static inline void cell_note(const struct test *t, struct check *check)
{
    if (!t->cells)
        return;
    check->cell = (u16)cell_number(&t->cell);
    check->failed_in = cell_set_of(t->declaration->cells, &t->cell);
}

void results_clear(struct results *results);
/* Raises the outcome; code and reason of the severest, and of equals the first, stay. */
void results_raise(struct results *results, enum outcome outcome, enum reason code, const char *reason);
/* An access faulted that must not: the first of a test is kept, for the judge. */
void results_deny(struct results *results, u32 msr, fault_t fault, const char *text);
/* What the next check is about, enum aspect: what its call named, else its helper. */
u32 results_about(struct results *results, u32 otherwise);
/* One check that held or not. `check` carries label, msr, bit, kind, got, want, high. */
void results_check(struct results *results, const struct check *check, bool held);
/* A check over many repeats at once: of `repeats` as many as `failed` did not hold. */
void results_check_many(struct results *results, const struct check *check, u32 repeats, u32 failed);
void results_measure(struct results *results, const char *name, const char *unit, u64 sample);
/* Keeps a note, once; what finds no room is counted. Never part of a repeat. */
void results_note(struct results *results, const struct note *note);
bool note_same(const struct note *a, const struct note *b);
/* Begins a repeat; results_close(clean) keeps what it recorded, or forgets it. Returns whether a check failed in it. */
void results_open(struct results *results);
bool results_close(struct results *results, bool clean);
/* By how much a check was wrong at worst: of two that were wrong by the same it is equal. */
u64 results_wrong_by(const struct check *check);
/* Number of checks made, held and failed. */
u64 results_checked(const struct results *results);
