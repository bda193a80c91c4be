/* SPDX-License-Identifier: BSD-2-Clause */
/* The proofs that every check can fail: what runs, its book, what is known of each defect, and the matrix. */
#pragma once

#include "harness/core/judge.h"
#include "harness/core/results.h"
#include "harness/mode/session.h"
#include "harness/run/run.h"
#include "harness/test.h"
#include "reference/mode/runs.h"
#include "reference/model/model.h"

/*
 * The book of `prove`: every check label of every test, and which defects made it fail. Pure.
 *
 * A label that no defect can fail proves nothing when it holds; a defect that no label notices is a hole in the tests.
 * A label that fails as a side effect of another defect is not proven: only a defect that is meant for its test proves
 * it. A failure noticed on one counter need not be noticed on another: each register and bit is a key of its own.
 */

#define PROOF_LABELS 2048 /* those of the permanent list, and what the harness itself enters */
#define PROOF_KEYS 16384  /* for all profiles of a proof */

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

/*
 * The two matrices that make a verdict meaningful, on the reference PMU: every defect is caught and every check can
 * fail (prove); no legal variation makes a test fail (prove-benign).
 */

struct prove_job {
    const struct profile *profile;
    u32 part, parts;  /* only every parts-th deviation, starting with the part-th */
    const char *only; /* of this part only deviations that match one of these globs */
    bool full;        /* log every run */
    bool alone;       /* reference= names the profile: each deviation is shown on it, and on no other */
};

/* Does any deviation match the list of globs? */
bool prove_knows(const char *only);
/* Lists the defects of this part of the work, as indexes into deviations; list has room for all. Returns how many. */
unsigned prove_defects_of(const struct prove_job *job, int *list);
/* Both print one result line per deviation, and add the results to *totals. */
void prove_defects(struct session *session, const struct prove_job *job, struct totals *totals);
void prove_variations(struct session *session, const struct prove_job *job, struct totals *totals);

/*
 * Which defects to show where there is little time: each chosen one makes as many labels fail as possible that no
 * earlier one did, with few tests. What fails a label says tests/labels.txt, which each whole proof confirms; what
 * of it failed here is noted label by label. Pure.
 */

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
/* Does the permanent list name this defect for a label of the test? */
bool provers_name(const char *test, const char *defect);
/* The row of a label; -1: it has none. */
int provers_row(const char *test, const char *label);

/*
 * What a proof runs, from the tables of the reference PMU: on which profiles, and each defect in which variants. Pure.
 */

#define LEGS_MAX 16
#define LEG_NAME_SIZE 96

/* The proof's own profile and after it the others on which some of these defects show. Returns their number. */
unsigned legs_profiles(const struct profile *own, const int *list, unsigned count, const struct profile *on[LEGS_MAX]);

enum leg_kind {
    LEG_PLAIN,     /* on its own profile, without the erratum that it mimics */
    LEG_ELSEWHERE, /* on a further profile */
    LEG_COUNTER,   /* on one counter only, with the tests that the defect is meant for */
    LEG_REGISTER,  /* on one register only, with the tests that the defect is meant for; it need not be noticed */
    LEG_ERRATUM,   /* on a CPU that has the erratum: must be known */
    LEG_NOT_BY,    /* on a CPU with an erratum that is similar: must not be known */
    LEG_THOROUGH,  /* with the repeats of a normal run: for what depends on chance, or needs one repeat per counter */
    LEG_RARE,      /* only now and then, with the repeats of a normal run and the tests that it is meant for */
};

struct leg {
    enum leg_kind kind;
    struct pmu_run run;
    bool unseen; /* no test is known to notice it there */
    /* The variant's name: "pmi-lost", "pmi-lost@haswell", "pmi-lost@000106a5", "pmi-lost@000106a5:19",
     * "pmi-late@haswell+normal", "pmi-lost:40+normal" */
    char name[LEG_NAME_SIZE];
};
/* Variant n of a deviation, n from 0; false if there are no more. */
bool leg_of(const struct profile *own, int deviation, unsigned n, struct leg *leg);
/*
 * The deviation on that profile. False: it is shown only on CPUs with an erratum or on single registers, or it is a
 * variation that is legal on others only.
 */
bool leg_alone(const struct profile *own, int deviation, struct leg *leg);

/* The lines of a proof's log that a program on the build machine turns into matrices (reference/proof/matrix.c).
 * Pure. */

#define MATRIX_LINE 600

/*
 * "# matrix defect=NAME test=ID labels=a,b outcome=fail": the next test that noticed the defect in the current run.
 * Labels are never cut: those that do not fit go into another line. NULL at the end.
 */
const char *matrix_caught(char *line, struct proof *proof, const char *defect);
/*
 * "# label test=ID label=NAME keys=IA32_PMC0+,IA32_PMC1-,IA32_PERF_GLOBAL_STATUS.32~": the registers that a label
 * checked (`none`: no register), and what made it fail: + a defect that is meant for its test, ~ only others, - none.
 * Keys are left out if the label checked them only under a deviation and no defect that is meant for its test made them
 * fail. Writes as many keys as fit, from *row and *key on, both 0 at first. NULL at the end.
 */
const char *matrix_keys(char *line, const struct proof *proof, unsigned *row, u16 *key);
/* "# vector tests=a,b": the tests in the order of the vectors, from *at on, as many as fit. NULL at the end. */
const char *matrix_tests(char *line, const struct selection *selection, unsigned *at);
/*
 * "# vector variation=NAME results=ppsk": a letter per test. p pass, m pass of a test that measures, s skip, k known, r
 * review, f fail, e error.
 */
const char *matrix_results(char *line, const struct selection *selection, const u8 *outcomes, const char *variation);

/*
 * The third question of a proof: what does an excuse hide? It runs each defect on each profile whose CPU has an erratum
 * that can excuse a check. If a defect is only noticed as known, it must mimic one of these errata, or its row must
 * give a reason.
 */

/* Prints one result line per profile, and a "# hidden" line for each defect that is only known there; adds the results
 * to *totals. A part has some of the defects on some of the profiles. */
void prove_excuses(struct session *session, const struct prove_job *job, struct totals *totals);

/* ---- The runs that the options ask for, by which everything here goes. */

/*
 * Plans them from reference= and defect=, after a profile that was handed to the image. A proof is for one profile, the
 * first one unless reference= names another. False with one line in error (RUN_ERROR_SIZE bytes).
 */
bool planned_fill(char *error);
const struct runs *planned(void);
/* Is a proof asked for, of whichever kind? */
bool planned_proof(void);

/*
 * Could a deviation show at all in a run? A defect of something that the profile's CPU does not have, or that no
 * selected test comes to, changes nothing: that the tests pass then says nothing of them. It is known from the model's
 * rules that the run came to, and from the profile's data.
 */

/* A run begins, its CPUs are about to be armed: notes are taken of all of them from here on. */
void shown_begin(void);
/* Where the model of this CPU takes them: `reached` of its set-up. */
struct model_reached *shown_notes(u32 cpu);
/* Could what this run's PMU deviates in have changed anything, on any CPU? `profile` is what the run is based on. */
bool shown_may_be(const struct profile *profile, const struct deviating *deviating);
/* What a person can do if not, in `text` of `size` bytes. */
const char *shown_advice(const struct pmu_run *run, char *text, size_t size);
