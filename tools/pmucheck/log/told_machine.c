/* SPDX-License-Identifier: BSD-2-Clause */
/* Warm resets, an update of microcode, and the uses of the PMU. */
#include "tools/pmucheck/log/told.h"
#include <string.h>

#define WAYS_MOST (sizeof(((struct told_resets *)0)->way) / sizeof(((struct told_resets *)0)->way[0]))

static const char *text(const struct log_record *r, const char *key)
{
    const char *value = log_value(r, key);
    return value ? value : "";
}

static uint64_t number(const struct log_record *r, const char *key)
{
    uint64_t value;
    return log_number(r, key, &value) ? value : 0;
}

static bool is(const struct log_record *r, const char *kind)
{
    return strcmp(r->kind, kind) == 0;
}

/* ---- Warm resets */

static void read_resets(const struct log_record *r, struct told_resets *resets)
{
    if (!log_value(r, "way"))
        resets->refused = r;
    else if (resets->ways < WAYS_MOST)
        resets->way[resets->ways++] =
            (struct told_way){r, text(r, "way"), text(r, "state"), number(r, "made"), number(r, "differences")};
}

bool told_resets(struct arena *arena, const struct log_boot *boot, struct told_resets *resets)
{
    *resets = (struct told_resets){0};
    for_each_item (boot->records, r) {
        if (is(r, "resets"))
            read_resets(r, resets);
        else if (is(r, "reset-differs"))
            *LIST_ADD(arena, &resets->differences) = r;
    }
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

const char *told_difference_words(struct arena *arena, const struct log_record *r)
{
    return arena_print(arena, "CPU %s %s: %s at first, %s after reset %s", text(r, "cpu"), text(r, "reg"),
                       text(r, "first"), text(r, "now"), text(r, "reset"));
}

/* ---- An update of microcode. A line "fits" before the first tests is not the result yet. */

static void read_update(struct arena *arena, const struct log_record *r, struct told_microcode *microcode)
{
    const char *before = log_value(r, "before"), *state = text(r, "state");
    if (!before && (!state[0] || strcmp(state, "fits") == 0))
        return;
    *LIST_ADD(arena, &microcode->updates) = (struct told_update){
        r, text(r, "cpus"), before ? before : text(r, "revision"), text(r, "after"), state, text(r, "why")};
}

bool told_microcode(struct arena *arena, const struct log_boot *boot, struct told_microcode *microcode)
{
    *microcode = (struct told_microcode){0};
    for_each_item (boot->records, r) {
        if (is(r, "microcode"))
            read_update(arena, r, microcode);
        else if (is(r, "changed"))
            *LIST_ADD(arena, &microcode->changed) = r;
        else if (is(r, "changes"))
            microcode->changes = r;
    }
    return microcode->updates.count || microcode->changes;
}

const char *told_update_words(struct arena *arena, const struct told_update *update)
{
    bool moved = update->after[0] && strcmp(update->after, update->before) != 0;
    const char *why = update->why[0] ? arena_print(arena, ", %s", update->why) : "";
    if (moved)
        return arena_print(arena, "%s to %s: %s%s", update->before, update->after, update->state, why);
    return arena_print(arena, "stays%s%s: %s%s", update->before[0] ? " " : "", update->before, update->state, why);
}

struct told_change told_change(const struct log_record *r)
{
    static const char *const whats[] = {"test", "erratum", "choice"};
    struct told_change change = {"?", r->text, log_value(r, "label"), text(r, "before"), text(r, "after")};
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
    return arena_print(arena,
                       "changed: tests %s of %llu, labels %s of %llu, errata %s of %llu, choices of the CPU %s of %llu",
                       text(r, "tests"), (unsigned long long)(number(r, "tests") + number(r, "same-tests")),
                       text(r, "labels"), (unsigned long long)(number(r, "labels") + number(r, "same-labels")),
                       text(r, "errata"), (unsigned long long)(number(r, "errata") + number(r, "same-errata")),
                       text(r, "choices"), (unsigned long long)(number(r, "choices") + number(r, "same-choices")));
}

/* ---- Uses of the PMU */

bool told_use(const struct log_record *r, struct told_use *use)
{
    if (!is(r, "good-for"))
        return false;
    *use = (struct told_use){r->subject, log_value(r, "words") ? log_value(r, "words") : r->subject, text(r, "answer"),
                             text(r, "because")};
    return true;
}

const char *told_use_words(struct arena *arena, const struct told_use *use)
{
    return use->because[0] ? arena_print(arena, "%s: %s", use->answer, use->because) : use->answer;
}
