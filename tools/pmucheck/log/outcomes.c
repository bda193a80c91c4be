/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compares a run's "# outcomes" line with its results. The line has a letter for each test in order of the ids,
 * "p12s3f", and those of further results by name, "lockstep:f". It gives the outcome of a lost result; if it
 * contradicts a result, one of the two was changed.
 */
#include "tools/pmucheck/log/line.h"
#include "tools/pmucheck/log/parse.h"
#include <stdlib.h>
#include <string.h>

#define TESTS_MOST 10000

/* The outcomes of the tests that ran; NULL if the list is malformed. */
static enum log_outcome *read_list(struct arena *arena, const char *text, unsigned *tests)
{
    struct span list = {text, strlen(text)};
    enum log_outcome *outcomes = arena_alloc(arena, TESTS_MOST * sizeof(*outcomes));
    *tests = 0;
    while (list.length > 0) {
        enum log_outcome outcome = line_outcome(list.text[0]);
        bool ran = outcome != LOG_LOST;
        unsigned count = 1;
        if (!ran && list.text[0] != '-')
            return NULL;
        span_step(&list, 1);
        span_number(&list, &count);
        if (count > TESTS_MOST - *tests)
            return NULL;
        while (ran && count-- > 0)
            outcomes[(*tests)++] = outcome;
    }
    return outcomes;
}

/* ---- A run whose results are numbered in order of their ids. `count`: of its tests, the first results. */

static bool in_order(const struct log_run *run, unsigned count)
{
    const char *before = "";
    for (unsigned i = 0; i < count; i++) {
        const char *id = run->results.item[i].id;
        if (!id[0])
            continue;
        if (strcmp(before, id) >= 0)
            return false;
        before = id;
    }
    return true;
}

static void differs(struct log_reader *r, const struct log_result *result, const char *id, enum log_outcome told)
{
    log_problem(r, result->line, "%s is %s here, but %s in the # outcomes line: one of the two was changed", id,
                log_outcome_name[result->outcome], log_outcome_name[told]);
}

static void compare_result(struct log_reader *r, struct log_result *result, enum log_outcome told)
{
    if (result->outcome == LOG_LOST)
        result->reason = arena_print(&r->file->arena, "the # outcomes line says %s", log_outcome_name[told]);
    else if (result->outcome != told)
        differs(r, result, result->id, told);
}

static void compare_in_order(struct log_reader *r, struct log_run *run, const enum log_outcome *told, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        compare_result(r, &run->results.item[i], told[i]);
}

/* ---- Results that are no tests: by name, the last of the run */

bool also_next(struct span *list, struct span *id, enum log_outcome *outcome)
{
    const char *colon = list->length > 0 ? memchr(list->text, ':', list->length) : NULL;
    if (!colon || colon + 1 == list->text + list->length)
        return false;
    *id = (struct span){list->text, (size_t)(colon - list->text)};
    *outcome = line_outcome(colon[1]);
    if (*outcome == LOG_LOST)
        return false;
    list->length -= id->length + 2;
    list->text = colon + 2;
    span_skip(list, ",");
    return true;
}

static bool well_formed(const char *also)
{
    struct span list = {also, strlen(also)}, id;
    enum log_outcome outcome;
    while (also_next(&list, &id, &outcome))
        ;
    return list.length == 0;
}

static unsigned others_of(const struct log_run *run)
{
    struct span list = {run->also, strlen(run->also)}, id;
    enum log_outcome outcome;
    unsigned count = 0;
    while (also_next(&list, &id, &outcome))
        count++;
    return count < run->results.count ? count : run->results.count;
}

/* Returns their number. */
static unsigned compare_others(struct log_reader *r, struct log_run *run)
{
    struct span list = {run->also, strlen(run->also)}, id;
    enum log_outcome told;
    unsigned count = others_of(run), at = run->results.count - count;
    for (; at < run->results.count && also_next(&list, &id, &told); at++) {
        struct log_result *result = &run->results.item[at];
        const char *name = arena_copy(&r->file->arena, id.text, id.length);
        if (result->outcome == LOG_LOST && !result->id[0])
            result->id = name;
        if (strcmp(result->id, name) == 0)
            compare_result(r, result, told);
    }
    return count;
}

/* Logs of older images do not name walks among their outcomes. */
static unsigned walks_at_end(const struct log_run *run)
{
    unsigned last = run->results.count;
    return last > 0 && strcmp(run->results.item[last - 1].id, "lockstep") == 0;
}

/* ---- A run whose tests were shuffled or repeated: the severest outcome of each test counts */

unsigned log_gravity(enum log_outcome outcome)
{
    static const unsigned gravity[LOG_OUTCOMES + 1] = {
        [LOG_SKIP] = 1, [LOG_KNOWN] = 2, [LOG_REVIEW] = 3, [LOG_FAIL] = 4, [LOG_ERROR] = 5, [LOG_LOST] = 6};
    return gravity[outcome];
}

static int by_id_severest_first(const void *a, const void *b)
{
    const struct log_result *x = *(const struct log_result *const *)a, *y = *(const struct log_result *const *)b;
    int order = strcmp(x->id, y->id);
    return order ? order : (int)log_gravity(y->outcome) - (int)log_gravity(x->outcome);
}

static void compare_by_id(struct log_reader *r, const struct log_run *run, unsigned count, const enum log_outcome *told,
                          unsigned tests)
{
    const struct log_result **sorted = arena_alloc(&r->file->arena, (count + 1) * sizeof(*sorted));
    unsigned ids = 0;
    for (unsigned i = 0; i < count; i++)
        sorted[i] = &run->results.item[i];
    if (count > 0)
        qsort(sorted, count, sizeof(*sorted), by_id_severest_first);
    for (unsigned i = 0; i < count; i++)
        if (i == 0 || strcmp(sorted[i]->id, sorted[i - 1]->id) != 0)
            sorted[ids++] = sorted[i];
    if (ids != tests)
        return; /* the letters cannot be assigned to tests; the lost ones are named already */
    for (unsigned i = 0; i < ids; i++)
        if (sorted[i]->outcome != LOG_LOST && sorted[i]->outcome != told[i])
            differs(r, sorted[i], sorted[i]->id, told[i]);
}

void log_check_outcomes(struct log_reader *r, struct log_run *run)
{
    unsigned tests;
    const enum log_outcome *told = run->outcomes ? read_list(&r->file->arena, run->outcomes, &tests) : NULL;
    if (!run->outcomes)
        return;
    if (!told || (run->also && !well_formed(run->also))) {
        log_problem(r, run->outcomes_line, "this # outcomes line is damaged");
        return;
    }
    unsigned others = run->also ? compare_others(r, run) : walks_at_end(run), count = run->results.count - others;
    if (tests == count && in_order(run, count))
        compare_in_order(r, run, told, count);
    else if (tests > 0)
        compare_by_id(r, run, count, told, tests);
}
