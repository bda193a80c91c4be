/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which defects to show where there is little time: each chosen one makes as many labels fail as possible that no
 * earlier one did, with few tests.
 */
#include "kernel/text/text.h"
#include "reference/deviations/deviations.h"
#include "reference/mode/prove.h"

#define PROVER(of, that, defects) {.test = of, .label = that, .by = defects},
const struct prover provers[] = {
#include "provers.def"
};
const unsigned prover_count = sizeof(provers) / sizeof(provers[0]);
_Static_assert(sizeof(provers) / sizeof(provers[0]) <= PROVERS_MOST && PROVERS_MOST < PROOF_LABELS,
               "the books have a row for each label");

static bool is_for(const struct provers_book *book, unsigned row, int deviation)
{
    for (unsigned i = 0; i < PROVERS_EACH; i++)
        if (book->by[row][i] == deviation + 1)
            return true;
    return false;
}

static bool is_open(const struct provers_book *book, unsigned row)
{
    return book->row[row] & PROVER_OPEN;
}

/* The first row that is not of an earlier test. */
static unsigned first_row(const char *test)
{
    unsigned from = 0, to = prover_count;
    while (from < to) {
        unsigned middle = (from + to) / 2;
        if (strcmp(provers[middle].test, test) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

int provers_row(const char *test, const char *label)
{
    for (unsigned n = first_row(test); n < prover_count && !strcmp(provers[n].test, test); n++)
        if (!strcmp(provers[n].label, label))
            return (int)n;
    return -1;
}

bool provers_name(const char *test, const char *defect)
{
    for (unsigned n = first_row(test); n < prover_count && !strcmp(provers[n].test, test); n++)
        if (glob_list_match(provers[n].by, defect))
            return true;
    return false;
}

/* The defects of a row, by their place in the list and 1 more. */
static void find_defects(const char *list, u16 by[PROVERS_EACH])
{
    char name[PROVERS_NAME];
    for (unsigned i = 0; i < PROVERS_EACH && list_next(&list, name, sizeof(name)); i++)
        by[i] = (u16)(deviation_find(name) + 1);
}

void provers_begin(struct provers_book *book, const struct test_declaration *const *tests, unsigned count)
{
    *book = (struct provers_book){0};
    for (unsigned n = 0; n < prover_count; n++) {
        find_defects(provers[n].by, book->by[n]);
    }
    for (unsigned i = 0; i < count; i++)
        for (unsigned n = first_row(tests[i]->id); n < prover_count && !strcmp(provers[n].test, tests[i]->id); n++)
            book->row[n] = PROVER_OPEN;
}

/* ---- The choice. */

struct gain {
    u16 labels, tests;
    const char *last; /* test that was counted last */
};

static void count_gains(const struct provers_book *book, struct gain gain[])
{
    for (unsigned n = 0; n < prover_count; n++)
        for (unsigned i = 0; i < PROVERS_EACH && is_open(book, n); i++) {
            if (!book->by[n][i])
                continue;
            struct gain *of = &gain[book->by[n][i] - 1];
            of->labels++;
            of->tests += !of->last || strcmp(of->last, provers[n].test) != 0;
            of->last = provers[n].test;
        }
}

/* More labels for each test, or as many and more in all. */
static bool better(const struct gain *a, const struct gain *b)
{
    unsigned one = (unsigned)a->labels * b->tests, other = (unsigned)b->labels * a->tests;
    return !b->tests || one > other || (one == other && a->labels > b->labels);
}

int provers_next(const struct provers_book *book, const bool *may, unsigned runs)
{
    static struct gain gain[PROVERS_DEFECTS];
    int best = -1;
    memset(gain, 0, sizeof(gain));
    count_gains(book, gain);
    for (unsigned i = 0; i < deviation_count && i < PROVERS_DEFECTS; i++)
        if (may[i] && gain[i].labels && gain[i].tests <= runs && (best < 0 || better(&gain[i], &gain[best])))
            best = (int)i;
    return best;
}

bool provers_wants(const struct provers_book *book, int deviation, const char *test)
{
    for (unsigned n = first_row(test); n < prover_count && !strcmp(provers[n].test, test); n++)
        if (is_open(book, n) && is_for(book, n, deviation))
            return true;
    return false;
}

/* ---- The notes. */

static bool any(const struct provers_book *book, const char *test, u8 bit)
{
    for (unsigned n = first_row(test); n < prover_count && !strcmp(provers[n].test, test); n++)
        if (book->row[n] & bit)
            return true;
    return false;
}

bool provers_ran(const struct provers_book *book, const char *test)
{
    return any(book, test, PROVER_PLAIN);
}

void provers_run(struct provers_book *book, bool plain)
{
    book->plain = plain;
    for (unsigned n = 0; n < prover_count; n++)
        book->row[n] &= (u8) ~(PROVER_NOW | PROVER_ERROR);
}

static void note_label(struct provers_book *book, const char *test, const char *label, bool failed)
{
    int row = provers_row(test, label);
    if (row < 0)
        return;
    if (book->plain)
        book->row[row] |= PROVER_HELD;
    if (failed)
        book->row[row] |= PROVER_NOW;
}

static void note_error(struct provers_book *book, const char *test)
{
    for (unsigned n = first_row(test); n < prover_count && !strcmp(provers[n].test, test); n++)
        book->row[n] |= PROVER_ERROR;
}

/* A test that could not do its work has shown nothing, but for PMIs that nobody had asked for. */
void provers_note(struct provers_book *book, const char *test, const struct results *results)
{
    bool wrong = results->outcome == OUTCOME_ERROR;
    if (results->unasked)
        note_label(book, test, results->unasked, true);
    for (unsigned i = 0; i < results->checks && !wrong; i++)
        note_label(book, test, results->check[i].label, results->check[i].failed);
    if (wrong)
        note_error(book, test);
}

void provers_end_plain(struct provers_book *book, const char *test)
{
    for (unsigned n = first_row(test); n < prover_count && !strcmp(provers[n].test, test); n++) {
        book->row[n] |= PROVER_PLAIN;
        if (book->row[n] & (PROVER_NOW | PROVER_ERROR))
            book->row[n] &= (u8)~PROVER_HELD;
        if (!(book->row[n] & PROVER_HELD))
            book->row[n] &= (u8)~PROVER_OPEN;
    }
}

unsigned provers_end(struct provers_book *book, int deviation, bool could)
{
    const char *meant = deviation_meant(deviations[deviation]);
    unsigned failed = 0;
    for (unsigned n = 0; n < prover_count; n++) {
        bool its = is_open(book, n) && is_for(book, n, deviation);
        bool fails = (book->row[n] & PROVER_NOW) && (book->row[n] & PROVER_HELD) &&
                     (its || !meant || glob_list_match(meant, provers[n].test));
        failed += fails;
        if (its && (book->row[n] & PROVER_ERROR))
            book->row[n] |= PROVER_UNKNOWN;
        else if (its && could && !any(book, provers[n].test, PROVER_NOW))
            book->row[n] |= PROVER_TRIED;
        if (fails)
            book->row[n] = (u8)((book->row[n] | PROVER_SHOWN) & ~PROVER_OPEN);
    }
    return failed;
}

unsigned provers_shown(const struct provers_book *book)
{
    unsigned shown = 0;
    for (unsigned n = 0; n < prover_count; n++)
        shown += !!(book->row[n] & PROVER_SHOWN);
    return shown;
}

bool provers_in_vain(const struct provers_book *book, const bool *may, unsigned row)
{
    for (unsigned i = 0; i < PROVERS_EACH; i++)
        if (book->by[row][i] && may[book->by[row][i] - 1])
            return false;
    return (book->row[row] & (PROVER_TRIED | PROVER_SHOWN | PROVER_UNKNOWN)) == PROVER_TRIED;
}
