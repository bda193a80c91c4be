/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/compare/compare.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KEYS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define NAMED_MOST 8
#define MODELS_MOST 3 /* that are named of a crowd */

/* ---- Which rows */

static bool is_section(const struct sheet_row *row, const char *chapter)
{
    const char *name = sheet_section_name[row->section];
    if (row->section == SHEET_HANDOFF && strcmp(chapter, "handoff") == 0)
        return true;
    return strcmp(name, chapter) == 0;
}

/* Is it a result or a measurement of this chapter's tests? */
static bool is_of(const struct sheet_row *row, const char *chapter)
{
    size_t length = strlen(chapter);
    return (row->section == SHEET_RESULTS || row->section == SHEET_MEASURES) &&
           strncmp(row->group, chapter, length) == 0 && row->group[length] == '.';
}

bool compare_shows(const struct sheet_row *row, const struct compare_options *options)
{
    const char *chapter = options->chapter;
    if (!row->differs && !options->all)
        return false;
    return !chapter || is_section(row, chapter) || is_of(row, chapter);
}

const char *compare_chapter(const struct sheet *sheet, const char *name)
{
    if (strcmp(name, sheet_section_name[SHEET_HANDOFF]) == 0)
        return "handoff";
    for (unsigned section = 0; section < SHEET_SECTIONS; section++)
        if (strcmp(name, sheet_section_name[section]) == 0)
            return name;
    for_each_item (sheet->rows, row)
        if (is_of(row, name) && !strchr(name, '.'))
            return name;
    return NULL;
}

const char *compare_chapters(struct sheet *sheet)
{
    const char *text = "";
    for (unsigned section = 0; section < SHEET_SECTIONS; section++)
        text =
            arena_join(&sheet->arena, text, ", ", section == SHEET_HANDOFF ? "handoff" : sheet_section_name[section]);
    const char *before = "handoff";
    for_each_item (sheet->rows, row) {
        size_t length = strcspn(row->group, ".");
        if (row->section != SHEET_RESULTS || !row->group[length] || strncmp(row->group, "handoff.", 8) == 0 ||
            (strncmp(before, row->group, length) == 0 && before[length] == '.'))
            continue;
        before = row->group;
        text = arena_print(&sheet->arena, "%s, %.*s", text, (int)length, row->group);
    }
    return text;
}

/* ---- Values */

static int more_first(const void *a, const void *b)
{
    const struct compare_value *x = a, *y = b;
    return x->columns != y->columns ? (x->columns > y->columns ? -1 : 1) : (x->column[0] < y->column[0] ? -1 : 1);
}

/* Collects the values by a table with an entry for each text of the sheet: the value's number, 0 for none. */
static void collect_texts(struct arena *arena, const struct sheet *sheet, const struct sheet_row *row,
                          struct compare_values *values)
{
    unsigned *value_of = arena_alloc(arena, (sheet->texts.keys.count + 1) * sizeof(unsigned));
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        sheet_text number = sheet_number(row, c);
        if (!value_of[number]) {
            struct compare_value *value = LIST_ADD(arena, &values->list);
            value->text = number ? sheet_text_of(sheet, number) : "-";
            value_of[number] = values->list.count;
        }
        values->list.item[value_of[number] - 1].columns++;
    }
    for_each_item (values->list, value) {
        value->column = arena_alloc(arena, value->columns * sizeof(unsigned));
        value->columns = 0;
    }
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        struct compare_value *value = &values->list.item[value_of[sheet_number(row, c)] - 1];
        value->column[value->columns++] = c;
    }
}

static void collect_measures(struct arena *arena, const struct sheet *sheet, const struct sheet_row *row,
                             struct compare_values *values)
{
    char room[SHEET_ROOM];
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        const char *text = sheet_value(sheet, row, c, room);
        struct compare_value *value = NULL;
        text = text ? text : "-";
        for (unsigned i = 0; i < values->list.count && !value; i++)
            if (strcmp(values->list.item[i].text, text) == 0)
                value = &values->list.item[i];
        if (!value) {
            value = LIST_ADD(arena, &values->list);
            value->text = arena_copy(arena, text, strlen(text));
            value->column = arena_alloc(arena, sheet->columns.count * sizeof(unsigned));
        }
        value->column[value->columns++] = c;
    }
}

void compare_collect(struct arena *arena, const struct sheet *sheet, const struct sheet_row *row,
                     struct compare_values *values)
{
    memset(values, 0, sizeof(*values));
    if (row->section == SHEET_MEASURES)
        collect_measures(arena, sheet, row, values);
    else
        collect_texts(arena, sheet, row, values);
    for_each_item (values->list, value)
        for (unsigned k = 0; k < value->columns && row->outliers.count; k++)
            value->outlier |= sheet_outlier(row, value->column[k]);
    LIST_SORT(values->list, more_first);
}

const char *compare_key(const struct sheet *sheet, unsigned column)
{
    static const char keys[] = KEYS;
    static char key[26][2];
    if (sheet->columns.count > COMPARE_WIDE || column >= 26)
        return sheet->columns.item[column].name;
    key[column][0] = keys[column];
    return key[column];
}

/* If all kinds of core of a hybrid have the value, returns the machine's own name. */
static const char *name_of(const struct sheet *sheet, const struct compare_value *value, unsigned at, unsigned *kinds)
{
    unsigned machine = sheet->columns.item[value->column[at]].machine;
    *kinds = 1;
    while (at + *kinds < value->columns && sheet->columns.item[value->column[at + *kinds]].machine == machine)
        ++*kinds;
    bool whole = *kinds == sheet->machines.item[machine].kinds;
    if (!whole)
        *kinds = 1;
    return whole && sheet->columns.count > COMPARE_WIDE ? sheet->machines.item[machine].name
                                                        : compare_key(sheet, value->column[at]);
}

/* Many columns in a few words: a hybrid counts once, by its first kind of core, or else as "29 by their atom cores". */
struct crowd {
    unsigned machines, others; /* with their first column; only with another kind of core */
    const char *kind;          /* of the first of these others */
    bool *model;               /* by number: some of its machines are there */
    unsigned models;
};

static struct crowd crowd_of(struct arena *arena, const struct sheet *sheet, const struct compare_value *value)
{
    struct crowd crowd = {.kind = "", .model = arena_alloc(arena, sheet->models.count + 1)};
    unsigned before = ~0u;
    for (unsigned i = 0; i < value->columns; i++) {
        const struct sheet_column *column = &sheet->columns.item[value->column[i]];
        const struct sheet_machine *machine = &sheet->machines.item[column->machine];
        if (column->machine == before)
            continue;
        before = column->machine;
        bool first = value->column[i] == machine->first;
        crowd.machines += first;
        crowd.kind = !first && !crowd.others++ ? column->kind : crowd.kind;
        crowd.models += !crowd.model[machine->model];
        crowd.model[machine->model] = true;
    }
    return crowd;
}

/* " of Core i7-6700K, Xeon Gold 6230", " but of Core i7 920"; "" if all models have it, or too many to name. */
static const char *models_of(struct arena *arena, const struct sheet *sheet, const struct crowd *crowd)
{
    bool of = crowd->models <= MODELS_MOST, but = sheet->models.count - crowd->models <= MODELS_MOST;
    const char *text = "";
    if (crowd->models == sheet->models.count || (!of && !but))
        return "";
    for (unsigned m = 0; m < sheet->models.count; m++)
        if (crowd->model[m] == of)
            text = arena_print(arena, "%s%s%s", text,
                               text[0] ? ", "
                               : of    ? " of "
                                       : ", none of ",
                               overview_short(arena, sheet, m));
    return text;
}

static const char *crowd_words(struct arena *arena, const struct sheet *sheet, const struct compare_value *value)
{
    const struct crowd crowd = crowd_of(arena, sheet, value);
    const char *models = models_of(arena, sheet, &crowd);
    if (!crowd.others)
        return arena_print(arena, "%u machines%s", crowd.machines, models);
    if (!crowd.machines)
        return arena_print(arena, "%u by their %s cores%s", crowd.others, crowd.kind, models);
    return arena_print(arena, "%u machines, %u more by their %s cores%s", crowd.machines, crowd.others, crowd.kind,
                       models);
}

const char *compare_who(struct arena *arena, const struct sheet *sheet, const struct compare_value *value)
{
    const char *text = "";
    unsigned machines = 0, kinds;
    for (unsigned i = 0; i < value->columns; i++)
        machines += i == 0 ||
                    sheet->columns.item[value->column[i]].machine != sheet->columns.item[value->column[i - 1]].machine;
    if (machines > NAMED_MOST)
        return crowd_words(arena, sheet, value);
    for (unsigned i = 0; i < value->columns; i += kinds) {
        text = arena_join(arena, text, ", ", name_of(sheet, value, i, &kinds));
        if (sheet->columns.count <= COMPARE_WIDE)
            kinds = 1;
    }
    return text;
}

const char *compare_about(struct sheet *sheet, unsigned index)
{
    const struct sheet_machine *machine = &sheet->machines.item[index];
    return arena_print(&sheet->arena, "%s, %s, signature %s, microcode %s: %s%s", machine->pmu,
                       machine->brand[0] ? machine->brand : "unnamed CPU", machine->signature, machine->microcode,
                       sheet_verdict_name[machine->verdict],
                       machine->problem && machine->verdict != SHEET_DAMAGED ? ", damaged log" : "");
}

const char *compare_span(struct arena *arena, const struct sheet *sheet, const struct sheet_row *row)
{
    double low = INFINITY, high = -INFINITY;
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        const struct sheet_measure *m = sheet_measured(row, c);
        low = m ? fmin(low, m->median) : low;
        high = m ? fmax(high, m->median) : high;
    }
    return low == high ? arena_print(arena, "%.0f", low) : arena_print(arena, "%.0f to %.0f", low, high);
}

/* ---- Outliers and guests */

static const struct sheet *being_sorted;
static unsigned being_told; /* the column whose outlier rows are sorted */

/* The weight of a difference in this row; 0 is the most important. */
static unsigned weight_of(const struct sheet *sheet, const struct sheet_row *row, unsigned column)
{
    static const unsigned weight[SHEET_SECTIONS] = {
        [SHEET_RESULTS] = 1, [SHEET_CAPABILITIES] = 2, [SHEET_BITS] = 2,
        [SHEET_HANDOFF] = 3, [SHEET_IDENTITY] = 4,     [SHEET_MEASURES] = 5};
    bool outcome = row->section == SHEET_RESULTS && strcmp(row->name, "outcome") == 0;
    bool failed = outcome && overview_outcome_of(sheet_text_of(sheet, sheet_number(row, column))) <= OVERVIEW_REVIEW;
    return failed ? 0 : weight[row->section];
}

static int heaviest_first(const void *a, const void *b)
{
    const struct sheet_row *x = *(const struct sheet_row *const *)a, *y = *(const struct sheet_row *const *)b;
    unsigned p = weight_of(being_sorted, x, being_told), q = weight_of(being_sorted, y, being_told);
    return p != q ? (p < q ? -1 : 1) : (x < y ? -1 : x > y);
}

unsigned compare_outlier_rows(struct sheet *sheet, unsigned column, const struct sheet_row ***rows)
{
    unsigned count = 0;
    *rows = arena_alloc(&sheet->arena, (sheet->columns.item[column].outliers + 1) * sizeof(**rows));
    for (unsigned i = 0; i < sheet->rows.count && count < sheet->columns.item[column].outliers; i++)
        if (sheet_outlier(&sheet->rows.item[i], column))
            (*rows)[count++] = &sheet->rows.item[i];
    being_sorted = sheet;
    being_told = column;
    if (count)
        qsort(*rows, count, sizeof(**rows), heaviest_first);
    return count;
}

static int worst_first(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    enum sheet_verdict p = being_sorted->machines.item[being_sorted->columns.item[x].machine].verdict,
                       q = being_sorted->machines.item[being_sorted->columns.item[y].machine].verdict;
    if (p != q)
        return p < q ? -1 : 1;
    unsigned more = being_sorted->columns.item[x].outliers, less = being_sorted->columns.item[y].outliers;
    return more != less ? (more > less ? -1 : 1) : (x < y ? -1 : x > y);
}

unsigned compare_worst(struct sheet *sheet, unsigned **columns)
{
    unsigned count = 0;
    *columns = arena_alloc(&sheet->arena, (sheet->columns.count + 1) * sizeof(unsigned));
    for (unsigned c = 0; c < sheet->columns.count; c++)
        if (sheet->columns.item[c].outliers)
            (*columns)[count++] = c;
    being_sorted = sheet;
    if (count)
        qsort(*columns, count, sizeof(unsigned), worst_first);
    return count;
}

unsigned compare_guest(const struct sheet *sheet, unsigned guest, enum sheet_section section)
{
    unsigned host = (unsigned)sheet->columns.item[guest].host, count = 0;
    for_each_item (sheet->rows, row)
        count += row->section == section && row->differs && !sheet_same(row, guest, host);
    return count;
}

bool compare_plots(const struct sheet *sheet, const struct sheet_row *row)
{
    const char *first = NULL;
    for (unsigned c = 0; c < sheet->columns.count && row->section == SHEET_MEASURES; c++) {
        const struct sheet_measure *m = sheet_measured(row, c);
        const char *histogram = m ? sheet_text_of(sheet, m->histogram) : NULL;
        if (!histogram)
            continue;
        first = first ? first : histogram;
        /* Needs at least two different values, in one machine or in several. */
        if (strchr(histogram, ',') || strcspn(histogram, ":") != strcspn(first, ":") ||
            strncmp(histogram, first, strcspn(first, ":")) != 0)
            return true;
    }
    return false;
}

const char *compare_row_name(struct arena *arena, const struct sheet_row *row)
{
    return arena_join(arena, row->group, " ", row->name);
}
