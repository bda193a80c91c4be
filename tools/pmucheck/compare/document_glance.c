/* SPDX-License-Identifier: BSD-2-Clause */
/* The PMUs at a glance: a row for each kind of core of each model. */
#include "tools/pmucheck/compare/document.h"
#include <string.h>

#define VALUES_MOST 3 /* of one model, before "..." */

/* What is told of a PMU, and the row of its capabilities that has it. */
static const struct {
    const char *words, *group, *name;
    bool flag; /* 1 or 0 */
} facts[] = {
    {"version", "PMU", "version", false},
    {"GP counters", "PMU", "gp", false},
    {"fixed counters", "PMU", "fixed", false},
    {"PEBS format", "IA32_PERF_CAPABILITIES", "PEBS_FORMAT", false},
    {"branch records", "branch records", "depth", false},
    {"trace", "CPUID.07H", "PT", true},
    {"metrics", "IA32_PERF_CAPABILITIES", "METRICS", true},
};
#define FACTS (sizeof(facts) / sizeof(facts[0]))

/* Each value of the place's columns once: "4x48, 8x48". */
static const char *texts_of(struct sheet *sheet, const struct sheet_row *row, const struct sheet_place *place)
{
    sheet_text seen[VALUES_MOST];
    unsigned count = 0;
    const char *text = "";
    for (unsigned c = place->first; row && c < sheet->columns.count; c++) {
        bool its = &sheet->places.item[sheet->columns.item[c].place] == place;
        sheet_text number = its ? sheet_number(row, c) : 0;
        unsigned i = 0;
        while (i < count && seen[i] != number)
            i++;
        if (!number || i < count)
            continue;
        if (count == VALUES_MOST)
            return arena_print(&sheet->arena, "%s, ...", text);
        text = arena_join(&sheet->arena, text, ", ", sheet_text_of(sheet, number));
        seen[count++] = number;
    }
    return text[0] ? text : "-";
}

static const char *values_of(struct sheet *sheet, size_t fact, const struct sheet_row *row,
                             const struct sheet_place *place)
{
    const char *text = texts_of(sheet, row, place);
    if (!facts[fact].flag || (strcmp(text, "1") != 0 && strcmp(text, "0") != 0))
        return text;
    return text[0] == '1' ? "yes" : "no";
}

/* Published errata of such CPUs that are not mended, and whose state the CPU is in: with the microcode of the most. */
static unsigned open_errata(const struct sheet *sheet, const struct sheet_place *place)
{
    const struct sheet_cpu *cpu = NULL;
    unsigned index = 0, count = 0;
    for (unsigned i = 0; i < sheet->errata.cpus.count; i++) {
        const struct sheet_cpu *other = &sheet->errata.cpus.item[i];
        unsigned of = sheet->columns.item[other->columns.item[0]].place;
        if (&sheet->places.item[of] == place && (!cpu || other->columns.count > cpu->columns.count)) {
            cpu = other;
            index = i;
        }
    }
    for (unsigned i = 0; cpu && i < sheet->errata.rows.count; i++) {
        const struct sheet_state *state = sheet_errata_state(&sheet->errata.rows.item[i], index);
        count += state && state->told.state != ERRATUM_FIXED && state->told.state != ERRATUM_NOT_HERE;
    }
    return count;
}

/* The uses whose answer is yes, or yes with care, on the place's first machine. */
static const char *uses_of(struct sheet *sheet, const struct sheet_place *place)
{
    const char *text = "";
    for_each_item (sheet->rows, row) {
        if (row->section != SHEET_RESULTS || strcmp(row->group, "good for") != 0)
            continue;
        const char *answer = sheet_text_of(sheet, sheet_number(row, place->first));
        bool care = answer && strncmp(answer, "with-care", 9) == 0;
        if (care || (answer && strncmp(answer, "yes", 3) == 0))
            text = arena_join(&sheet->arena, text, ", ",
                              arena_print(&sheet->arena, "%s%s", row->name, care ? " (with care)" : ""));
    }
    return text[0] ? text : "-";
}

/* On which PMUs of the model the image ran, and what came out: "12 machines: 11 pass, 1 fail". */
static const char *seen_of(struct sheet *sheet, const struct sheet_place *place)
{
    const struct sheet_model *model = &sheet->models.item[place->model];
    const char *text = strncmp(model->pmu, "reference:", 10) == 0 ? "reference PMU"
                       : model->machines == 1                     ? "1 machine"
                                              : arena_print(&sheet->arena, "%u machines", model->machines);
    for (unsigned v = 0, told = 0; v < SHEET_VERDICTS; v++) {
        const char *count = model->machines > 1 ? arena_print(&sheet->arena, "%u ", model->verdict[v]) : "";
        if (model->verdict[v])
            text = arena_print(&sheet->arena, "%s%s%s%s", text, told++ ? ", " : ": ", count, sheet_verdict_name[v]);
    }
    return text;
}

/* ---- */

/* What is counted; a terminal has no room for where the model was seen. */
static void add_counts(struct document *d, struct node *row, const struct sheet_place *place)
{
    unsigned errata = open_errata(d->sheet, place);
    if (!d->size->page) {
        node_print(d, row, NODE_TEXT, "; %u errata open; good for %s", errata, uses_of(d->sheet, place));
        return;
    }
    node_print(d, row, NODE_CELL, "%u", errata)->key = "open errata";
    node_add(d, row, NODE_CELL, seen_of(d->sheet, place))->key = "seen on";
    node_add(d, row, NODE_CELL, uses_of(d->sheet, place))->key = "good for";
}

static void add_row(struct document *d, struct node *beside, const struct sheet_place *place,
                    const struct sheet_row *const rows[FACTS])
{
    struct node *row = node_beside_row(d, beside, overview_short_kind(d->sheet, place->first));
    for (size_t i = 0; i < FACTS; i++) {
        const char *value = values_of(d->sheet, i, rows[i], place);
        if (d->size->page)
            node_add(d, row, NODE_CELL, value)->key = facts[i].words;
        else
            node_print(d, row, NODE_TEXT, "%s %s %s", i ? "," : ":", facts[i].words, value);
    }
    add_counts(d, row, place);
}

void document_glance(struct document *d)
{
    const struct sheet_row *rows[FACTS];
    const unsigned count = d->sheet->places.count;
    if (d->options->chapter)
        return;
    for (size_t i = 0; i < FACTS; i++)
        rows[i] = sheet_row_of(d->sheet, SHEET_CAPABILITIES, facts[i].group, facts[i].name);
    struct node *beside = node_beside(d, "The PMUs at a glance", "beside glance", "model");
    for (size_t i = 0; i < FACTS; i++)
        node_column(d, beside, facts[i].words);
    node_column(d, beside, "open errata");
    node_column(d, beside, "seen on");
    node_column(d, beside, "good for");
    for (unsigned i = 0; i < count && i < d->size->models; i++)
        add_row(d, beside, &d->sheet->places.item[i], rows);
    if (count > d->size->models)
        node_print(d, d->root, NODE_PARAGRAPH, "and %u more", count - d->size->models);
}
