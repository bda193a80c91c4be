/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/compare/document.h"
#include <limits.h>
#include <string.h>

const struct document_size document_text = {
    .models = 40, .findings = 60, .outliers = 20, .outlier_rows = 6, .causes = 14, .cause_rows = 12, .values = 12};
const struct document_size document_page = {.page = true,
                                            .models = 100,
                                            .findings = 200,
                                            .outliers = 50,
                                            .outlier_rows = 8,
                                            .causes = ~0u,
                                            .cause_rows = 40,
                                            .values = 24};

#define GLANCE_MOST 10

static struct node *add_chip(struct document *d, struct node *parent, const char *class, const char *text)
{
    struct node *chip = node_add(d, parent, NODE_CHIP, text);
    chip->class = class;
    return chip;
}

static const char *plural(unsigned count)
{
    return count == 1 ? "" : "s";
}

/* ---- Machines */

static const char *const verdict_class[SHEET_VERDICTS] = {"fail", "error", "review", "error", "skip", "pass"};

/* The machines with one verdict, of one model or of all, and their `known` results. */
struct came_out {
    LIST(unsigned) machines;
    unsigned with_known, known;
};

static struct came_out came_out(struct sheet *sheet, int model, enum sheet_verdict verdict)
{
    struct came_out so = {0};
    for (unsigned i = 0; i < sheet->machines.count; i++) {
        const struct sheet_machine *machine = &sheet->machines.item[i];
        if (machine->verdict != verdict || (model >= 0 && machine->model != (unsigned)model))
            continue;
        *LIST_ADD(&sheet->arena, &so.machines) = i;
        so.with_known += machine->known > 0;
        so.known += machine->known;
    }
    return so;
}

/* Adds " (a03, a09)" for machines that did not pass; for those that passed " (12 known)", or the number with known
 * errata. */
static void add_remark(struct document *d, struct node *parent, enum sheet_verdict verdict, const struct came_out *so,
                       bool several)
{
    if (verdict != SHEET_PASS && several)
        node_print(d, parent, NODE_TEXT, " (%s)", overview_names(d->sheet, so->machines.item, so->machines.count));
    else if (verdict == SHEET_PASS && so->with_known && so->machines.count > 1)
        node_print(d, parent, NODE_TEXT, " (%u with known errata)", so->with_known);
    else if (verdict == SHEET_PASS && so->with_known)
        node_print(d, parent, NODE_TEXT, " (%u known)", so->known);
}

/* Adds "10 pass, 2 fail (a03, a09)": the passes first, then the others, worst first. */
static void add_verdicts(struct document *d, struct node *parent, int model)
{
    struct sheet *sheet = d->sheet;
    unsigned all = model < 0 ? sheet->machines.count : sheet->models.item[model].machines;
    for (unsigned k = 0, before = 0; k < SHEET_VERDICTS; k++) {
        enum sheet_verdict verdict = k ? (enum sheet_verdict)(k - 1) : SHEET_PASS;
        struct came_out so = came_out(sheet, model, verdict);
        if (!so.machines.count)
            continue;
        node_add(d, parent, NODE_TEXT, before++ ? ", " : "");
        add_chip(d, parent, verdict_class[verdict],
                 arena_print(&sheet->arena, "%u %s", so.machines.count, sheet_verdict_name[verdict]));
        add_remark(d, parent, verdict, &so, all > 1);
    }
}

static void add_title(struct document *d)
{
    unsigned machines = d->sheet->machines.count, models = d->sheet->models.count;
    struct node *title = node_print(d, d->root, NODE_TITLE, "%u machine%s, %u model%s", machines, plural(machines),
                                    models, plural(models));
    node_add(d, title, NODE_TEXT, ": ");
    add_verdicts(d, title, -1);
    node_add(d, d->root, NODE_CONTROLS, NULL);
}

static struct node *add_heads(struct document *d, struct node *table, const char *const heads[3])
{
    struct node *row = node_add(d, table, NODE_HEADS, NULL);
    for (unsigned i = 0; i < 3; i++)
        node_add(d, row, NODE_HEAD, heads[i]);
    return table;
}

/* The table of columns: a letter for each, if there are few. */
static void add_columns(struct document *d)
{
    struct sheet *sheet = d->sheet;
    struct node *table =
        add_heads(d, node_add(d, d->root, NODE_TABLE, NULL), (const char *const[3]){"", "machine", "description"});
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        struct node *row = node_add(d, table, NODE_ROW, NULL);
        node_add(d, row, NODE_HEAD, compare_key(sheet, c))->gap = "  ";
        node_add(d, row, NODE_CELL, sheet->columns.item[c].name)->gap = ": ";
        node_add(d, row, NODE_CELL, compare_about(sheet, sheet->columns.item[c].machine));
    }
}

static void add_models(struct document *d)
{
    struct sheet *sheet = d->sheet;
    struct node *table = add_heads(d, node_list(d, NULL, NODE_TABLE, "Machines by model"),
                                   (const char *const[3]){"machines", "model", "verdicts"});
    for (unsigned n = 0; n < sheet->models.count && n < d->size->models; n++) {
        const struct sheet_model *model = &sheet->models.item[d->overview.order[n]];
        const char *first = sheet->machines.item[model->first].name;
        struct node *row = node_add(d, table, NODE_ROW, NULL), *head = node_add(d, row, NODE_HEAD, first);
        if (model->machines > 1)
            head->text = arena_print(&sheet->arena, "%u machines like %s", model->machines, first);
        head->gap = ": ";
        node_add(d, row, NODE_CELL, overview_model(sheet, d->overview.order[n]))->gap = ": ";
        add_verdicts(d, node_add(d, row, NODE_CELL, NULL), (int)d->overview.order[n]);
    }
    if (sheet->models.count > d->size->models)
        node_print(d, d->root, NODE_PARAGRAPH, "and %u more models", sheet->models.count - d->size->models);
}

/* Logs that the comparison lacks, or that are not whole. */
static void add_doubts(struct document *d)
{
    struct node *list = NULL;
    for_each_item (d->sheet->doubts, doubt) {
        list = node_list(d, list, NODE_LIST, "Logs that are not whole");
        node_print(d, list, NODE_ITEM, "%s: %s%s", doubt->path, doubt->unusable ? "nothing to compare: " : "",
                   doubt->problem)
            ->class
            = doubt->unusable ? "error" : NULL;
    }
}

/* Different conditions affect only the comparison of measurements; outcomes are compared nevertheless. */
static void add_otherwise(struct document *d)
{
    struct node *list = NULL;
    for_each_item (d->sheet->machines, machine) {
        if (!machine->otherwise)
            continue;
        const char *conditions = sheet_text_of(d->sheet, machine->conditions);
        list = node_list(d, list, NODE_LIST,
                         "Tested under other conditions: measurements are not compared with the others'");
        node_print(d, list, NODE_ITEM, "%s: %s", machine->name, conditions[0] ? conditions : "the log has no budget");
    }
}

/* ---- What did not pass */

static void add_finding(struct document *d, struct node *list, const struct overview_finding *f)
{
    struct node *item = node_told(d, list, NODE_ITEM, SHEET_RESULTS);
    add_chip(d, item, overview_outcome_name[f->outcome], overview_outcome_name[f->outcome])->width = 6;
    node_add(d, item, NODE_TEXT, " ");
    add_chip(d, item, severity_name[f->severity], severity_name[f->severity])->width = 8;
    node_add(d, item, NODE_TEXT, " ");
    node_add(d, item, NODE_NAME, f->test);
    if (f->label[0])
        node_print(d, item, NODE_TEXT, " [%s]", f->label);
    node_print(d, item, NODE_TEXT, " on %u of %u machine%s: %s", f->machines.count, d->sheet->machines.count,
               plural(d->sheet->machines.count), overview_names(d->sheet, f->machines.item, f->machines.count));
    node_line(d, item, "", f->title);
    node_line(d, item, "", f->detail);
    node_line(d, item, "also: ", f->others);
    node_line(d, item, "equals: ", f->equals);
    node_line(d, item, "why it matters: ", f->why);
    node_line(d, item, "see ", f->spec);
    node_line(d, item, "what to do: ", f->what_to_do);
}

static bool fits_chapter(const struct document *d, const char *test)
{
    const char *chapter = d->options->chapter;
    size_t length = chapter ? strlen(chapter) : 0;
    return !chapter || strcmp(chapter, sheet_section_name[SHEET_RESULTS]) == 0 ||
           (strncmp(test, chapter, length) == 0 && test[length] == '.');
}

static void add_findings(struct document *d)
{
    struct node *list = NULL;
    unsigned count = 0;
    for_each_item (d->overview.findings, finding) {
        if (!fits_chapter(d, finding->test))
            continue;
        list = node_list(d, list, NODE_LIST, "What did not pass");
        list->class = "findings";
        if (count++ < d->size->findings)
            add_finding(d, list, finding);
    }
    node_more(d, list, count, d->size->findings);
}

/* ---- Models and chapters */

/* Has no model a problem in this chapter? A phone has no room for such a chapter. */
static bool is_calm(const struct document *d, unsigned chapter)
{
    for (unsigned m = 0; m < d->sheet->models.count; m++)
        for (int outcome = OVERVIEW_FAIL; outcome <= OVERVIEW_LOST; outcome++)
            if (overview_count(&d->overview, m, chapter, (enum overview_outcome)outcome))
                return false;
    return true;
}

static unsigned width_of(const char *chapter)
{
    unsigned length = (unsigned)strlen(chapter);
    return length < 6 ? 6 : length;
}

/* "pass" if all machines of the model have the same outcome, else "2 fail". */
static void add_outcome(struct document *d, struct node *row, unsigned model, unsigned chapter)
{
    struct node *cell = node_add(d, row, NODE_CELL, "-");
    cell->class = is_calm(d, chapter) ? "none calm" : "none";
    cell->width = width_of(d->overview.chapters.item[chapter]);
    for (unsigned outcome = 0; outcome < OVERVIEW_OUTCOMES; outcome++) {
        unsigned count = overview_count(&d->overview, model, chapter, (enum overview_outcome)outcome);
        const char *name = overview_outcome_name[outcome];
        if (!count)
            continue;
        cell->class = arena_print(&d->sheet->arena, "%s%s", name, is_calm(d, chapter) ? " calm" : "");
        cell->text =
            count == d->sheet->models.item[model].machines ? name : arena_print(&d->sheet->arena, "%u %s", count, name);
        return;
    }
}

static void add_matrix_row(struct document *d, struct node *table, unsigned model)
{
    const struct sheet_model *m = &d->sheet->models.item[model];
    const char *name = document_is_wide(d) ? overview_short(&d->sheet->arena, d->sheet, model)
                                           : d->sheet->machines.item[m->first].name;
    struct node *row = node_add(d, table, NODE_ROW, NULL);
    int most = d->size->page ? INT_MAX : 20; /* the width of the column on a terminal */
    struct node *head = m->machines > 1 ? node_print(d, row, NODE_HEAD, "%.*s +%u", most - 4, name, m->machines - 1)
                                        : node_print(d, row, NODE_HEAD, "%.*s", most, name);
    head->width = 20;
    for (unsigned c = 0; c < d->overview.chapters.count; c++)
        add_outcome(d, row, model, c);
}

static void add_matrix(struct document *d)
{
    if (d->options->chapter || !d->overview.chapters.count)
        return;
    struct node *table = node_list(d, NULL, NODE_TABLE, "Models and chapters, the worst outcome in each");
    struct node *heads = node_add(d, table, NODE_HEADS, NULL);
    unsigned calm = 0;
    node_add(d, heads, NODE_HEAD, "")->width = 20;
    for (unsigned c = 0; c < d->overview.chapters.count; c++) {
        struct node *head = node_add(d, heads, NODE_HEAD, d->overview.chapters.item[c]);
        head->width = width_of(head->text);
        head->class = is_calm(d, c) ? "chapter calm" : "chapter";
        calm += is_calm(d, c);
    }
    for (unsigned i = 0; i < d->sheet->models.count && i < d->size->models; i++)
        add_matrix_row(d, table, d->overview.order[i]);
    bool all = calm == d->overview.chapters.count;
    table->class = all ? "matrix calm" : "matrix";
    if (!calm || !d->size->page)
        return;
    const char *form = all ? "In all %u chapters nothing failed." : "In %u other chapters nothing failed.";
    node_add(d, d->root, NODE_PARAGRAPH, arena_print(&d->sheet->arena, form, calm))->class = "calm-note";
}

/* ---- Outliers and guests */

static void add_outlier(struct document *d, struct node *list, unsigned column)
{
    struct sheet *sheet = d->sheet;
    const struct sheet_row **rows;
    unsigned count = compare_outlier_rows(sheet, column, &rows), outliers = sheet->columns.item[column].outliers;
    char room[SHEET_ROOM];
    struct node *item = node_add(d, list, NODE_ITEM, NULL);
    node_add(d, item, NODE_NAME, sheet->columns.item[column].name);
    node_print(d, item, NODE_TEXT, " differs from its equals in %u row%s:", outliers, plural(outliers));
    for (unsigned i = 0; i < count && i < d->size->outlier_rows; i++) {
        const char *value = sheet_value(sheet, rows[i], column, room);
        struct node *line = node_print(d, item, NODE_LINE, "%s: %s", compare_row_name(&sheet->arena, rows[i]),
                                       value ? value : "no value");
        if (rows[i]->section == SHEET_MEASURES)
            node_print(d, line, NODE_TEXT, " (medians of all: %s)", compare_span(&sheet->arena, sheet, rows[i]));
    }
}

static void add_outliers(struct document *d)
{
    unsigned *columns, count = compare_worst(d->sheet, &columns);
    if (!count)
        return;
    struct node *list = node_list(d, NULL, NODE_LIST, "Outliers");
    list->id = "outliers";
    for (unsigned i = 0; i < count && i < d->size->outliers; i++)
        add_outlier(d, list, columns[i]);
    node_more(d, list, count, d->size->outliers);
}

static void add_guests(struct document *d)
{
    struct sheet *sheet = d->sheet;
    struct node *list = NULL;
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        const struct sheet_column *guest = &sheet->columns.item[c];
        if (guest->host < 0)
            continue;
        list = node_list(d, list, NODE_LIST, "Guests");
        struct node *item = node_print(d, list, NODE_ITEM, "%s (%s) differs from its hardware %s in", guest->name,
                                       sheet->machines.item[guest->machine].pmu, sheet->columns.item[guest->host].name);
        for (unsigned s = SHEET_CAPABILITIES; s < SHEET_SECTIONS; s++)
            node_print(d, item, NODE_TEXT, "%s %u of %s", s > SHEET_CAPABILITIES ? "," : "", compare_guest(sheet, c, s),
                       sheet_section_name[s]);
    }
}

/* ---- All of it: failures, then what differs within a model, then between models, then the rest */

void document_make(struct document *d, struct sheet *sheet, const struct compare_options *options,
                   const struct document_size *size)
{
    *d = (struct document){.sheet = sheet, .options = options, .size = size};
    bool each = sheet->machines.count == sheet->models.count;
    bool few = size->page && (each || sheet->models.count <= GLANCE_MOST); /* a person asks first what they are */
    bool wide = document_is_wide(d);
    overview_make(&d->overview, sheet);
    d->root = node_add(d, NULL, NODE_DOCUMENT, NULL);
    add_title(d);
    if (!wide)
        add_columns(d);
    if (few)
        document_glance(d);
    add_doubts(d);
    add_findings(d);
    if (wide)
        add_models(d);
    document_grid(d);
    document_errata_sentences(d);
    document_causes(d, OVERVIEW_MATTERS);
    add_outliers(d);
    if (!few)
        document_glance(d);
    add_matrix(d);
    document_errata(d);
    document_sides(d);
    document_atlas(d);
    add_otherwise(d);
    add_guests(d);
    document_causes(d, OVERVIEW_EXPECTED);
    document_causes(d, OVERVIEW_NOISE);
    document_rows(d);
}
