/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/mode/microcode/changes.h"
#include "harness/core/judge.h"
#include "kernel/text/text.h"

static bool is_same(const struct change *a, const struct change *b)
{
    return a->test == b->test && a->kind == b->kind && a->core_type == b->core_type &&
           (a->name == b->name || (a->name && b->name && !strcmp(a->name, b->name)));
}

static struct change *row_of(struct changes *changes, const struct change *wanted)
{
    unsigned i = 0;
    while (i < changes->count && !is_same(&changes->row[i], wanted))
        i++;
    if (i == CHANGES_MAX)
        return NULL;
    if (i == changes->count)
        changes->row[changes->count++] = *wanted;
    return &changes->row[i];
}

static void note(struct changes *changes, const struct change *what, unsigned came)
{
    struct change *row = row_of(changes, what);
    if (!row)
        changes->dropped++;
    else if (came > row->came[changes->second])
        row->came[changes->second] = (u8)came;
}

void changes_outcome(struct changes *changes, const struct test_declaration *test, enum outcome outcome)
{
    note(changes, &(struct change){.kind = CHANGE_TEST, .test = test}, outcome);
}

void changes_results(struct changes *changes, const struct test_declaration *test, const struct results *results)
{
    for (unsigned i = 0; i < results->checks; i++) {
        const struct check *check = &results->check[i];
        note(changes, &(struct change){.kind = CHANGE_LABEL, .test = test, .name = check->label},
             check->failed ? check->outcome : OUTCOME_PASS);
    }
}

void changes_erratum(struct changes *changes, u32 core_type, const char *number, enum erratum_state state)
{
    note(changes, &(struct change){.kind = CHANGE_ERRATUM, .name = number, .core_type = core_type}, 1u + state);
}

void changes_choice(struct changes *changes, const char *name)
{
    note(changes, &(struct change){.kind = CHANGE_CHOICE, .name = name}, 1);
}

/* ---- The lines about it. */

static bool changed(const struct change *row)
{
    bool once = !row->came[0] || !row->came[1];
    bool harmless = row->kind == CHANGE_LABEL && once && (row->came[0] | row->came[1]) == OUTCOME_PASS;
    return row->came[0] != row->came[1] && !harmless;
}

static const char *word(const struct change *row, bool after)
{
    u8 came = row->came[after];
    if (row->kind == CHANGE_CHOICE)
        return came ? "yes" : "no";
    if (!came)
        return "not-asked";
    return row->kind == CHANGE_ERRATUM ? erratum_state_name((enum erratum_state)(came - 1)) : outcome_name(came);
}

static void name_it(const struct change *row, char *text, size_t size)
{
    if (row->kind == CHANGE_TEST)
        format_text(text, size, "test=%s", row->test->id);
    else if (row->kind == CHANGE_LABEL)
        format_text(text, size, "test=%s label=%s", row->test->id, row->name);
    else if (row->kind == CHANGE_ERRATUM)
        format_text(text, size, "erratum=%s core-type=%u", row->name, row->core_type);
    else
        format_text(text, size, "choice=%s", row->name);
}

static void tell_one(const struct change *row, void (*tell)(const char *line))
{
    char what[CHANGES_LINE - 60], line[CHANGES_LINE];
    name_it(row, what, sizeof(what));
    format_text(line, sizeof(line), "# changed %s before=%s after=%s", what, word(row, false), word(row, true));
    tell(line);
}

void changes_tell(const struct changes *changes, void (*tell)(const char *line))
{
    unsigned differ[CHANGE_KINDS] = {0}, same[CHANGE_KINDS] = {0};
    char line[CHANGES_LINE];
    for (const struct change *row = changes->row; row < changes->row + changes->count; row++) {
        bool otherwise = changed(row);
        (otherwise ? differ : same)[row->kind]++;
        if (otherwise)
            tell_one(row, tell);
    }
    format_text(line, sizeof(line),
                "# changes tests=%u labels=%u errata=%u choices=%u same-tests=%u same-labels=%u same-errata=%u "
                "same-choices=%u dropped=%u",
                differ[CHANGE_TEST], differ[CHANGE_LABEL], differ[CHANGE_ERRATUM], differ[CHANGE_CHOICE],
                same[CHANGE_TEST], same[CHANGE_LABEL], same[CHANGE_ERRATUM], same[CHANGE_CHOICE], changes->dropped);
    tell(line);
}
