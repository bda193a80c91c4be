/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/results.h"
#include "kernel/text/text.h"

void results_clear(struct results *results)
{
    memset(results, 0, sizeof(*results));
}

void results_raise(struct results *results, enum outcome outcome, enum reason code, const char *reason)
{
    if (outcome <= results->outcome)
        return;
    results->outcome = outcome;
    results->code = code;
    format_text(results->reason, sizeof(results->reason), "%s", reason);
}

void results_deny(struct results *results, u32 msr, fault_t fault, const char *text)
{
    if (results->denied.msr)
        return;
    results->denied.msr = msr;
    results->denied.fault = fault;
    format_text(results->denied.text, sizeof(results->denied.text), "%s", text);
}

u64 results_about(struct results *results, u64 otherwise)
{
    u64 named = results->about;
    results->about = 0;
    return named ? named : otherwise;
}

static bool same_check(const struct check *a, const struct check *b)
{
    return a->msr == b->msr && a->bit == b->bit && a->kind == b->kind && !strcmp(a->label, b->label);
}

const struct check *results_find(const struct results *results, const struct check *check)
{
    for (unsigned i = 0; i < results->checks; i++)
        if (same_check(&results->check[i], check))
            return &results->check[i];
    return NULL;
}

/* Tests make the same checks in the same order again and again: the one after the last is tried first. */
static struct check *find_check(struct results *results, const struct check *check)
{
    for (unsigned n = 0; n < results->checks; n++) {
        unsigned i = (results->next + n) % results->checks;
        if (same_check(&results->check[i], check)) {
            results->next = i + 1;
            return &results->check[i];
        }
    }
    if (results->checks == CHECKS_MAX) {
        results->overflowed = true;
        return NULL;
    }
    struct check *row = &results->check[results->checks++];
    *row = *check;
    row->held = row->failed = 0;
    row->failed_in = row->held_in = (struct cell_set){0};
    results->next = results->checks;
    return row;
}

/* The difference of two values, modulo the counters' `width` (0: 64 bits); *less: `a` is below. */
static u64 apart(u64 a, u64 b, unsigned width, bool *less)
{
    u64 mask = width && width < 64 ? BIT(width) - 1 : ~0ull, up = (a - b) & mask, down = (b - a) & mask;
    *less = down < up;
    return *less ? down : up;
}

/* How one repeat failed. */
static struct failing failing_once(const struct check *check, unsigned width)
{
    struct failing once = {.set = ~0ull, .clear = ~0ull, .distance = ~0ull};
    unsigned bit = check->bit == NO_BIT ? 0 : check->bit;
    if (check->kind == CHECK_EQUAL) {
        once.set = (check->got & ~check->want) << bit;
        once.clear = (check->want & ~check->got) << bit;
        once.distance = apart(check->got, check->want, width, &once.less);
        once.wanted = check->bit == NO_BIT ? check->want : 0;
    } else if (check->kind == CHECK_RANGE) {
        bool below_low, below_high;
        u64 low = apart(check->got, check->want, width, &below_low);
        u64 high = apart(check->got, check->high, width, &below_high);
        once.less = low < high;
        once.distance = once.less ? low : high;
    }
    once.more = !once.less && once.distance != ~0ull;
    return once;
}

/* Adds a failure to the sum; returns whether it is worse than all before. */
static bool failing_add(struct failing *sum, const struct failing *once, bool first)
{
    bool worse = first || once->distance > sum->distance;
    if (first) {
        *sum = *once;
        return true;
    }
    sum->set |= once->set;
    sum->clear |= once->clear;
    sum->more |= once->more;
    sum->less |= once->less;
    sum->wanted &= once->wanted;
    if (worse)
        sum->distance = once->distance;
    return worse;
}

u64 results_wrong_by(const struct check *check)
{
    return check->kind == CHECK_EQUAL ? check->got - check->want : check->got;
}

/* The values that are shown belong to the worst failure. */
static void show(struct check *row, const struct check *worst)
{
    row->got = worst->got;
    row->want = worst->want;
    row->words = worst->words;
    row->high = worst->high;
}

static void add_failure(struct check *row, const struct check *check, unsigned width)
{
    struct failing once = failing_once(check, width);
    bool varies = row->failed && results_wrong_by(check) != results_wrong_by(row);
    row->aspects = row->failed ? row->aspects & check->aspects : check->aspects;
    bool worse = failing_add(&row->failing, &once, !row->failed);
    row->failing.varied |= varies;
    if (worse)
        show(row, check);
}

static struct cell_tally *tally_of(struct results *results, const struct check *row, const struct check *check)
{
    u16 number = (u16)(row - results->check);
    for (unsigned i = 0; i < results->tallies; i++)
        if (results->tally[i].check == number && results->tally[i].cell == check->cell)
            return &results->tally[i];
    if (results->tallies == CELL_TALLIES)
        return NULL;
    results->tally[results->tallies] = (struct cell_tally){.check = number, .cell = check->cell};
    return &results->tally[results->tallies++];
}

static bool fails_in_a_cell(const struct results *results, const struct check *row)
{
    for (unsigned i = 0; i < results->tallies; i++) {
        const struct cell_tally *tally = &results->tally[i];
        if (&results->check[tally->check] == row && tally->failed >= CELL_TRIES && !tally->held)
            return true;
    }
    return false;
}

static void add_cell(struct results *results, struct check *row, const struct check *check, u32 held, u32 failed)
{
    if (failed)
        cell_set_add(&row->failed_in, &check->failed_in);
    if (held)
        cell_set_add(&row->held_in, &check->failed_in);
    if (!failed && !row->failed)
        return;
    struct cell_tally *tally = tally_of(results, row, check);
    if (tally) {
        tally->failed += failed;
        tally->held += tally->failed ? held : 0;
    }
    row->cell_fails = fails_in_a_cell(results, row);
}

void results_check_many(struct results *results, const struct check *check, u32 repeats, u32 failed)
{
    struct check *row = find_check(results, check);
    if (!row)
        return;
    if (failed)
        add_failure(row, check, results->width);
    if (check->failed_in.axes)
        add_cell(results, row, check, repeats - failed, failed);
    row->repeated |= repeats > 1 || check->repeated;
    row->failed += failed;
    row->held += repeats - failed;
}

/* How often it held in the first run says nothing about the surroundings. */
static void adopt_first(struct check *row, const struct check *check)
{
    *row = *check;
    row->repeated = row->surrounded = true;
}

static void adopt_more(struct check *row, const struct check *check)
{
    bool varies = results_wrong_by(check) != results_wrong_by(row);
    if (failing_add(&row->failing, &check->failing, false))
        show(row, check);
    row->failing.varied |= varies | check->failing.varied;
    row->aspects &= check->aspects;
    row->held += check->held;
    row->failed += check->failed;
    cell_set_add(&row->failed_in, &check->failed_in);
    cell_set_add(&row->held_in, &check->held_in);
}

int results_adopt(struct results *results, const struct check *check)
{
    struct check *row = find_check(results, check);
    if (!row)
        return -1;
    if (row->failed)
        adopt_more(row, check);
    else
        adopt_first(row, check);
    return (int)(row - results->check);
}

static struct journal_entry *journal(struct results *results)
{
    if (results->journalled == JOURNAL_MAX) {
        results->overflowed = true;
        return NULL;
    }
    return &results->journal[results->journalled++];
}

void results_check(struct results *results, const struct check *check, bool held)
{
    if (!results->open) {
        results->loose |= !held;
        results_check_many(results, check, 1, !held);
        return;
    }
    struct journal_entry *entry = journal(results);
    if (!entry)
        return;
    entry->unit = NULL;
    entry->check = *check;
    entry->check.repeated = true;
    entry->check.held = held;
}

static void add_sample(struct results *results, const char *name, const char *unit, u64 sample)
{
    unsigned i = 0;
    while (i < results->measures && strcmp(results->measure[i].name, name))
        i++;
    if (i == MEASURES_MAX) {
        results->overflowed = true;
        return;
    }
    if (i == results->measures) {
        results->measures++;
        results->measure[i].name = name;
        results->measure[i].unit = unit;
        histogram_clear(&results->measure[i].histogram);
    }
    histogram_add(&results->measure[i].histogram, sample);
}

void results_measure(struct results *results, const char *name, const char *unit, u64 sample)
{
    if (!results->open) {
        add_sample(results, name, unit, sample);
        return;
    }
    struct journal_entry *entry = journal(results);
    if (!entry)
        return;
    entry->name = name;
    entry->unit = unit;
    entry->sample = sample;
}

bool note_same(const struct note *a, const struct note *b)
{
    return !strcmp(a->kind, b->kind) && !strcmp(a->subject, b->subject) && !strcmp(a->text, b->text) &&
           !strcmp(a->rest, b->rest);
}

void results_note(struct results *results, const struct note *note)
{
    for (unsigned i = 0; i < results->notes; i++)
        if (note_same(&results->note[i], note))
            return;
    if (results->notes == NOTES_MAX)
        results->notes_dropped++;
    else
        results->note[results->notes++] = *note;
}

void results_open(struct results *results)
{
    results->open = true;
    results->journalled = 0;
}

bool results_close(struct results *results, bool clean)
{
    bool failed = false;
    results->open = false;
    if (clean)
        results->repeats++;
    else
        results->discarded++;
    for (unsigned i = 0; clean && i < results->journalled; i++) {
        const struct journal_entry *entry = &results->journal[i];
        if (entry->unit) {
            add_sample(results, entry->name, entry->unit, entry->sample);
        } else {
            results_check_many(results, &entry->check, 1, !entry->check.held);
            failed |= !entry->check.held;
        }
    }
    results->journalled = 0;
    return failed;
}

u64 results_checked(const struct results *results)
{
    u64 sum = 0;
    for (unsigned i = 0; i < results->checks; i++)
        sum += (u64)results->check[i].held + results->check[i].failed;
    return sum;
}
