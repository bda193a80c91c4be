/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a run says about each published erratum of its CPUs: seen; not seen, in how many checks that would have shown
 * it; not provoked, and why; or fixed by the microcode according to its sheet, and whether that is true. Kept per kind
 * of core. Pure.
 */
#pragma once

#include "harness/core/errata.h"
#include "harness/core/results.h"

#define ERRATA_GROUPS 4 /* kinds of core in one machine */

/* The state of an erratum. */
enum erratum_state {
    ERRATUM_SEEN,         /* a check failed as its sheet says */
    ERRATUM_NOT_SEEN,     /* checks that would have shown it all held */
    ERRATUM_FIXED,        /* the sheet says that this microcode fixes it, and it was not seen */
    ERRATUM_NOT_FIXED,    /* it was seen although the sheet says that this microcode fixes it */
    ERRATUM_NOT_HERE,     /* the CPU is not in the state that the sheet names (threads, counters, RTM, version) */
    ERRATUM_NOT_PROVOKED, /* no check of this run would have shown it */
    ERRATUM_NOT_JUDGED,   /* the tests only measure it, or allow for it */
    ERRATUM_STATES
};

struct erratum_tally {
    u64 asked, seen;  /* repeats of checks that would have shown it, and those of them that failed like that */
    const char *test; /* the first test that saw it; NULL: none */
};

struct errata_book {
    u32 group[ERRATA_GROUPS]; /* first CPU of each kind of core */
    unsigned groups;
    struct erratum_tally tally[ERRATA_GROUPS][ERRATUM_FACTS];
};

/* One line of the book. */
struct erratum_entry {
    const char *number, *area;
    enum erratum_state state;
    enum errata_why why; /* if not provoked or not judged; JUDGED: no check asked about it */
    struct erratum_tally tally;
};

void errata_book_clear(struct errata_book *book);
/* Notes the judged results of one CPU of this group in one test. Kinds of core without room are left out. */
void errata_book_note(struct errata_book *book, const struct pmu_caps *caps, u32 group, const char *test,
                      const struct results *results);
/*
 * The entry at `index` among all known errata, for the kind of core at `group` in the book, which has the capabilities
 * `caps`; false if no sheet of that CPU has the erratum.
 */
bool errata_book_entry(const struct errata_book *book, unsigned group, const struct pmu_caps *caps, unsigned index,
                       struct erratum_entry *entry);
/* The number of entries. */
unsigned errata_book_size(void);
/* "seen", "not-seen", ...: permanent, for the log. */
const char *erratum_state_name(enum erratum_state state);
/* Why an erratum is not provoked, or not judged: "unused", ..., "no-check". */
const char *errata_why_name(enum errata_why why);
