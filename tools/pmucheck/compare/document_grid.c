/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The lab's list of regressions: a row for each model, firmware and microcode, with its verdicts and the first test
 * that failed; first those that came out worse than before, or than what was accepted, or, without a date or a
 * baseline, than others of their model.
 */
#include "tools/pmucheck/compare/document.h"
#include <stdlib.h>
#include <string.h>

/* Machines of one model, firmware and microcode. Their texts are the sheet's: equal ones have the same address. */
struct group {
    unsigned model;
    const char *bios, *microcode;
    LIST(unsigned) machines;
    unsigned finding;                 /* the first of their findings; ~0: none */
    enum sheet_verdict worst, before; /* of the logs since the date, or of all; and what it is measured by */
    bool worse, dated;                /* dated: there are logs since the date */
    unsigned judged_worse;            /* results that are worse than accepted ones */
    const char *first_worse;          /* of those results; NULL: none */
};

struct grid {
    LIST(struct group) groups;
    bool several; /* a model has several groups */
};

static struct group *group_of(struct sheet *sheet, struct grid *grid, const struct sheet_machine *machine)
{
    for_each_item (grid->groups, group) {
        if (group->model == machine->model && group->bios == machine->bios && group->microcode == machine->microcode)
            return group;
        grid->several |= group->model == machine->model;
    }
    struct group *group = LIST_ADD(&sheet->arena, &grid->groups);
    *group = (struct group){machine->model, machine->bios,       machine->microcode,
                            .finding = ~0u, .worst = SHEET_PASS, .before = SHEET_PASS};
    return group;
}

/* Dates are ISO 8601: their order is that of their letters. A log without a date is of before. */
static bool is_since(const struct document *d, const struct sheet_machine *machine)
{
    return !d->options->since || (machine->date[0] && strcmp(machine->date, d->options->since) >= 0);
}

/* Verdicts are worst first. */
static enum sheet_verdict worse_of(enum sheet_verdict a, enum sheet_verdict b)
{
    return a < b ? a : b;
}

/* For each machine its first finding, which is the gravest. */
static unsigned *first_findings(struct document *d)
{
    unsigned *first = arena_alloc(&d->sheet->arena, (d->sheet->machines.count + 1) * sizeof(*first));
    memset(first, 0xff, (d->sheet->machines.count + 1) * sizeof(*first));
    for (unsigned i = d->overview.findings.count; i-- > 0;)
        for_each_item (d->overview.findings.item[i].machines, machine)
            first[*machine] = i;
    return first;
}

static void gather(struct document *d, struct grid *grid)
{
    const unsigned *first = first_findings(d);
    for (unsigned m = 0; m < d->sheet->machines.count; m++) {
        const struct sheet_machine *machine = &d->sheet->machines.item[m];
        struct group *group = group_of(d->sheet, grid, machine);
        if (!is_since(d, machine))
            continue;
        *LIST_ADD(&d->sheet->arena, &group->machines) = m;
        group->dated = true;
        group->worst = worse_of(group->worst, machine->verdict);
        group->finding = first[m] < group->finding ? first[m] : group->finding;
    }
}

/* What it came out as before the date; if it was not there yet, its model did. */
static void compare_before(struct document *d, struct grid *grid)
{
    for_each_item (grid->groups, group) {
        enum sheet_verdict own = SHEET_PASS, model = SHEET_PASS;
        bool there = false;
        for_each_item (d->sheet->machines, machine) {
            bool same = machine->bios == group->bios && machine->microcode == group->microcode;
            if (machine->model != group->model || is_since(d, machine))
                continue;
            own = same ? worse_of(own, machine->verdict) : own;
            there |= same;
            model = worse_of(model, machine->verdict);
        }
        group->before = there ? own : model;
        group->worse = group->dated && group->worst < group->before;
    }
}

/* What is worse than the accepted results of the same signature, microcode and thread state. */
static void compare_accepted(struct document *d, struct grid *grid)
{
    for_each_item (grid->groups, group) {
        for (unsigned k = 0; k < group->machines.count; k++) {
            const struct sheet_machine *machine = &d->sheet->machines.item[group->machines.item[k]];
            group->judged_worse += machine->worse;
            group->first_worse = group->first_worse ? group->first_worse : machine->first_worse;
        }
        group->worse = group->judged_worse;
    }
}

/* The best that another firmware or microcode of the model comes out as. */
static void compare_others(struct grid *grid)
{
    for_each_item (grid->groups, group) {
        group->before = group->worst;
        for (unsigned k = 0; k < grid->groups.count; k++)
            if (grid->groups.item[k].model == group->model && grid->groups.item[k].worst > group->before)
                group->before = grid->groups.item[k].worst;
        group->worse = group->worst < group->before;
    }
}

static int worse_first(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    if (x->worse != y->worse)
        return x->worse ? -1 : 1;
    if (x->worst != y->worst)
        return x->worst < y->worst ? -1 : 1;
    if (x->model != y->model)
        return x->model < y->model ? -1 : 1;
    int order = strcmp(x->bios, y->bios);
    return order ? order : strcmp(x->microcode, y->microcode);
}

static bool is_passing(const struct group *group)
{
    return group->dated && group->worst == SHEET_PASS && !group->worse;
}

/* ---- */

/* "2 fail (m00021, m00043), 10 pass" */
static const char *verdicts_of(struct document *d, const struct group *group)
{
    struct arena *arena = &d->sheet->arena;
    unsigned *of = arena_alloc(arena, (group->machines.count + 1) * sizeof(*of));
    const char *text = "";
    for (unsigned v = 0; v < SHEET_VERDICTS; v++) {
        unsigned count = 0;
        for_each_item (group->machines, machine)
            if (d->sheet->machines.item[*machine].verdict == v)
                of[count++] = *machine;
        if (!count)
            continue;
        text = arena_join(arena, text, ", ", arena_print(arena, "%u %s", count, sheet_verdict_name[v]));
        if (v != SHEET_PASS)
            text = arena_print(arena, "%s (%s)", text, overview_names(d->sheet, of, count));
    }
    return text;
}

static const char *worse_words(struct document *d, const struct group *group)
{
    if (!group->worse)
        return "";
    if (d->options->judged)
        return arena_print(&d->sheet->arena, "; %u result%s worse than accepted: %s", group->judged_worse,
                           group->judged_worse == 1 ? " is" : "s are", group->first_worse);
    const char *before = sheet_verdict_name[group->before];
    return d->options->since ? arena_print(&d->sheet->arena, ", %s before %s", before, d->options->since)
                             : arena_print(&d->sheet->arena, ", others of the model %s", before);
}

static const char *const heads[] = {"model", "firmware", "microcode", "verdicts", "first test that did not pass"};

static struct node *add_cell(struct document *d, struct node *row, unsigned column, const char *text, const char *gap)
{
    struct node *cell = node_add(d, row, column ? NODE_CELL : NODE_HEAD, text);
    cell->key = column ? heads[column] : NULL; /* a phone shows it before the text */
    cell->gap = gap;
    return cell;
}

static void add_group(struct document *d, struct node *table, const struct group *group)
{
    struct arena *arena = &d->sheet->arena;
    struct node *row = node_add(d, table, NODE_ROW, NULL);
    const struct overview_finding *finding =
        group->finding < d->overview.findings.count ? &d->overview.findings.item[group->finding] : NULL;
    const char *test = !finding            ? ""
                       : finding->label[0] ? arena_print(arena, "%s [%s]", finding->test, finding->label)
                                           : finding->test;
    add_cell(d, row, 0, overview_short(arena, d->sheet, group->model), "; ");
    add_cell(d, row, 1, group->bios[0] ? group->bios : "unknown firmware", "; ");
    add_cell(d, row, 2, group->microcode[0] ? group->microcode : "unknown", ": ");
    const char *verdicts = arena_print(arena, "%s%s", verdicts_of(d, group), worse_words(d, group));
    add_cell(d, row, 3, verdicts, finding ? "; first " : "")->class = group->worse ? "bad" : NULL;
    if (test[0])
        add_cell(d, row, 4, test, NULL);
    else
        node_add(d, row, NODE_CELL, "");
}

static struct node *add_table(struct document *d, struct node *parent)
{
    struct node *table = node_add(d, parent, NODE_TABLE, NULL), *row = node_add(d, table, NODE_HEADS, NULL);
    table->class = "beside";
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        node_add(d, row, NODE_HEAD, heads[i]);
    return table;
}

/* Those that pass: the page folds them, the text leaves them out. */
static void add_passing(struct document *d, const struct grid *grid, unsigned count)
{
    struct arena *arena = &d->sheet->arena;
    const char *words =
        arena_print(arena, "%u combination%s pass%s", count, count == 1 ? "" : "s", count == 1 ? "es" : "");
    if (!d->size->page) {
        node_add(d, d->root, NODE_PARAGRAPH, words);
        return;
    }
    struct node *section = node_add(d, d->root, NODE_SECTION, words), *table;
    section->class = "all-rows";
    table = add_table(d, section);
    for (unsigned i = 0, told = 0; i < grid->groups.count && told < d->size->models; i++)
        if (is_passing(&grid->groups.item[i])) {
            add_group(d, table, &grid->groups.item[i]);
            told++;
        }
}

static void add_others(struct document *d, const struct grid *grid)
{
    struct node *table = NULL;
    unsigned told = 0;
    for_each_item (grid->groups, group) {
        if (!group->dated || is_passing(group) || told++ >= d->size->models)
            continue;
        table = table ? table : add_table(d, d->root);
        add_group(d, table, group);
    }
    if (told > d->size->models)
        node_print(d, d->root, NODE_PARAGRAPH, "and %u more that do not pass", told - d->size->models);
}

static void tell_unaccepted(struct document *d)
{
    struct arena *arena = &d->sheet->arena;
    unsigned count = 0, *of = arena_alloc(arena, (d->sheet->machines.count + 1) * sizeof(*of));
    for (unsigned m = 0; m < d->sheet->machines.count; m++)
        if (d->sheet->machines.item[m].unaccepted)
            of[count++] = m;
    if (count)
        node_print(d, d->root, NODE_PARAGRAPH, "nothing is accepted for the kind of %u machine%s (%s)", count,
                   count == 1 ? "" : "s", overview_names(d->sheet, of, count));
}

void document_grid(struct document *d)
{
    struct grid grid = {0};
    unsigned passing = 0, dated = 0;
    if (d->options->chapter)
        return;
    gather(d, &grid);
    if (!grid.several && !d->options->since && !d->options->judged)
        return;
    if (d->options->judged)
        compare_accepted(d, &grid);
    else if (d->options->since)
        compare_before(d, &grid);
    else
        compare_others(&grid);
    LIST_SORT(grid.groups, worse_first);
    for_each_item (grid.groups, group) {
        passing += is_passing(group);
        dated += group->dated;
    }
    node_add(d, d->root, NODE_HEADING, "By model, firmware and microcode");
    add_others(d, &grid);
    if (passing)
        add_passing(d, &grid, passing);
    if (!dated)
        node_print(d, d->root, NODE_PARAGRAPH, "no log is of %s or later", d->options->since);
    tell_unaccepted(d);
}
