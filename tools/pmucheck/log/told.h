/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a log tells beside the results of its tests: what became of each published erratum, the warm resets of option
 * resets=, an update of microcode, and the uses for which the PMU is good. All readers of these lines take them from
 * here. Texts are the log's own. Pure.
 */
#pragma once

#include "harness/core/errata_book.h"
#include "tools/pmucheck/log/log.h"

/* ---- Errata */

struct told_erratum {
    const char *number, *area;
    const char *word;         /* the state in the log's spelling */
    enum erratum_state state; /* ERRATUM_STATES: a word that this program does not know */
    const char *because;      /* why it was not provoked, or not judged; "" */
    const char *test;         /* that saw it first; "" */
    uint64_t core_type;       /* the first CPU of that kind of core */
    uint64_t seen, asked, per_million, excluded;
};

/* False: the line is about something else. */
bool told_erratum(const struct log_record *record, struct told_erratum *erratum);
/* Did it show? */
bool told_shows(const struct told_erratum *erratum);
/* "seen 3 of 300 times (1 %)", "not seen in 3000 checks: rarer than 0.1 %", "not provoked: no test uses a C-state". */
const char *told_erratum_words(struct arena *arena, const struct told_erratum *erratum);
/* "26 %", "0.036 %" */
const char *told_percent(struct arena *arena, uint64_t per_million);

/* ---- Warm resets */

struct told_resets {
    const struct log_record *refused; /* no series was made, with state= and reason=; NULL: one was */
    struct told_way {
        const struct log_record *record;
        const char *way, *state; /* "works", "ignored", "absent" */
        uint64_t made, differences;
    } way[8];
    unsigned ways;
    LIST(const struct log_record *) differences;
};

/* False: the log has none of them. */
bool told_resets(struct arena *arena, const struct log_boot *boot, struct told_resets *resets);
/* "3 made, 1 difference", "ignored after 0", "the machine does not have it" */
const char *told_way_words(struct arena *arena, const struct told_way *way);

/* ---- An update of microcode */

struct told_microcode {
    LIST(const struct log_record *) updates; /* of groups of CPUs */
    LIST(const struct log_record *) changed; /* outcomes that differ after it */
    const struct log_record *changes;        /* their numbers; NULL: there was no second half */
};

/* False: the log has no such line. */
bool told_microcode(struct arena *arena, const struct log_boot *boot, struct told_microcode *microcode);
/* The revision before it; "". */
const char *told_update_before(const struct log_record *update);
/* "00000027 to 00000028: loaded", "stays 000000f0: unfit, the loader gave no module" */
const char *told_update_words(struct arena *arena, const struct log_record *update);
/* One of its changed outcomes. */
struct told_change {
    const char *what, *name;    /* "test", "erratum" or "choice", and which */
    const char *label;          /* of the test's check; NULL: the whole test, or no test */
    const char *before, *after; /* outcomes, or states of the erratum */
};
struct told_change told_change(const struct log_record *changed);
/* "erratum SKL104: seen before, fixed after" */
const char *told_changed_words(struct arena *arena, const struct log_record *changed);
/* "changed: tests 1 of 260, labels 1 of 900, errata 1 of 40, choices of the CPU 0 of 12" */
const char *told_changes_words(struct arena *arena, const struct log_record *changes);

/* ---- Uses of the PMU: "# good-for NAME words=... answer=... because=...". Answers: "yes", "with-care", "absent",
 * "no"; older: "unknown" */

/* "no: gp.conditional-branches is skipped" */
const char *told_use_words(struct arena *arena, const struct log_record *use);
