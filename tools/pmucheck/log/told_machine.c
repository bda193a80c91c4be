/* SPDX-License-Identifier: BSD-2-Clause */
/* Warm resets, an update of microcode, and the uses of the PMU. */
#include "tools/pmucheck/log/told.h"
#include <string.h>

#define WAYS_MOST (sizeof(((struct told_resets *)0)->way) / sizeof(((struct told_resets *)0)->way[0]))

/* ---- Warm resets */

static void read_resets(const struct log_record *r, struct told_resets *resets)
{
    if (!log_value(r, "way"))
        resets->refused = r;
    else if (resets->ways < WAYS_MOST)
        resets->way[resets->ways++] = (struct told_way){r, log_word(r, "way"), log_word(r, "state"),
                                                        log_count(r, "made"), log_count(r, "differences")};
}

bool told_resets(struct arena *arena, const struct log_boot *boot, struct told_resets *resets)
{
    *resets = (struct told_resets){0};
    for_each_item (boot->records, r)
        if (log_is(r, "resets"))
            read_resets(r, resets);
        else if (log_is(r, "reset-differs"))
            *LIST_ADD(arena, &resets->differences) = r;
    return resets->refused || resets->ways || resets->differences.count;
}

const char *told_way_words(struct arena *arena, const struct told_way *way)
{
    const char *ending = way->differences == 1 ? "" : "s";
    if (strcmp(way->state, "absent") == 0)
        return "the machine does not have it";
    if (strcmp(way->state, "works") != 0)
        return arena_print(arena, "%s after %llu", way->state, (unsigned long long)way->made);
    if (!way->differences)
        return arena_print(arena, "%llu made, nothing differs", (unsigned long long)way->made);
    return arena_print(arena, "%llu made, %llu difference%s", (unsigned long long)way->made,
                       (unsigned long long)way->differences, ending);
}

/* ---- An update of microcode. A line "fits" before the first tests is not the result yet. */

static bool is_update(const struct log_record *r)
{
    const char *state = log_word(r, "state");
    return log_value(r, "before") || (state[0] && strcmp(state, "fits") != 0);
}

bool told_microcode(struct arena *arena, const struct log_boot *boot, struct told_microcode *microcode)
{
    *microcode = (struct told_microcode){0};
    for_each_item (boot->records, r)
        if (log_is(r, "microcode") && is_update(r))
            *LIST_ADD(arena, &microcode->updates) = r;
        else if (log_is(r, "changed"))
            *LIST_ADD(arena, &microcode->changed) = r;
        else if (log_is(r, "changes"))
            microcode->changes = r;
    return microcode->updates.count || microcode->changes;
}

const char *told_update_before(const struct log_record *update)
{
    return log_value_or(update, "before", log_word(update, "revision"));
}

const char *told_update_words(struct arena *arena, const struct log_record *update)
{
    const char *before = told_update_before(update), *after = log_word(update, "after"), *why = log_word(update, "why");
    const char *what = arena_print(arena, "%s%s%s", log_word(update, "state"), why[0] ? ", " : "", why);
    if (after[0] && strcmp(after, before) != 0)
        return arena_print(arena, "%s to %s: %s", before, after, what);
    return arena_print(arena, "stays%s%s: %s", before[0] ? " " : "", before, what);
}

struct told_change told_change(const struct log_record *r)
{
    static const char *const whats[] = {"test", "erratum", "choice"};
    struct told_change change = {"?", r->text, log_value(r, "label"), log_word(r, "before"), log_word(r, "after")};
    for (size_t i = 0; i < sizeof(whats) / sizeof(whats[0]); i++)
        if (log_value(r, whats[i])) {
            change.what = whats[i];
            change.name = log_value(r, whats[i]);
        }
    return change;
}

const char *told_changed_words(struct arena *arena, const struct log_record *r)
{
    const struct told_change c = told_change(r);
    return arena_print(arena, "%s %s%s%s: %s before, %s after", c.what, c.name, c.label ? " " : "",
                       c.label ? c.label : "", c.before, c.after);
}

const char *told_changes_words(struct arena *arena, const struct log_record *r)
{
    return arena_print(
        arena, "changed: tests %s of %llu, labels %s of %llu, errata %s of %llu, choices of the CPU %s of %llu",
        log_word(r, "tests"), (unsigned long long)(log_count(r, "tests") + log_count(r, "same-tests")),
        log_word(r, "labels"), (unsigned long long)(log_count(r, "labels") + log_count(r, "same-labels")),
        log_word(r, "errata"), (unsigned long long)(log_count(r, "errata") + log_count(r, "same-errata")),
        log_word(r, "choices"), (unsigned long long)(log_count(r, "choices") + log_count(r, "same-choices")));
}

/* ---- Uses of the PMU */

const char *told_use_words(struct arena *arena, const struct log_record *use)
{
    const char *answer = log_word(use, "answer"), *because = log_word(use, "because");
    return because[0] ? arena_print(arena, "%s: %s", answer, because) : answer;
}
