/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Published errata side by side: what differs between steppings and revisions of microcode, in one sentence for each
 * pair; then a column for each kind of CPU, the rows that differ between such CPUs first.
 */
#include "tools/pmucheck/compare/document.h"
#include <string.h>

#define NAMED_MOST 4 /* errata in a sentence, before "and 12 more" */

static const char *print_hex(struct document *d, uint32_t value)
{
    return arena_print(&d->sheet->arena, "%x", value);
}

/* ---- Names of CPUs */

/* "06-9E-0A", as the files of Intel's microcode are named. SDM 2A, CPUID: family and model with their extensions. */
static const char *signature_name(struct document *d, const struct sheet_cpu *cpu)
{
    uint32_t base = cpu->model >> 8 & 0xf, family = base == 0xf ? base + (cpu->model >> 20 & 0xff) : base;
    uint32_t model = (cpu->model >> 4 & 0xf) | (base == 6 || base == 0xf ? cpu->model >> 12 & 0xf0 : 0);
    return arena_print(&d->sheet->arena, "%02X-%02X-%02X", family, model, cpu->stepping);
}

/* ", atom" if such CPUs have several kinds of core. */
static const char *kind_of(struct document *d, const struct sheet_cpu *cpu)
{
    for (unsigned i = 0; i < d->sheet->errata.cpus.count; i++)
        if (d->sheet->errata.cpus.item[i].signature == cpu->signature &&
            d->sheet->errata.cpus.item[i].kind != cpu->kind)
            return arena_print(&d->sheet->arena, ", %s", cpu->kind);
    return "";
}

/* "06-7A-01, microcode 27", with the PMU or the kind of core if that is needed. */
static const char *cpu_name(struct document *d, unsigned index)
{
    const struct sheet_cpu *cpu = &d->sheet->errata.cpus.item[index];
    bool silicon = strcmp(cpu->pmu, "hardware") == 0;
    return arena_print(&d->sheet->arena, "%s, microcode %s%s%s%s", signature_name(d, cpu), print_hex(d, cpu->revision),
                       kind_of(d, cpu), silicon ? "" : ", ", silicon ? "" : cpu->pmu);
}

/* "A, B", or "13 machines" */
static const char *machines_of(struct document *d, const struct sheet_cpu *cpu)
{
    const char *text = "";
    if (document_is_wide(d))
        return arena_print(&d->sheet->arena, "%u machine%s", cpu->columns.count, cpu->columns.count == 1 ? "" : "s");
    for (unsigned i = 0; i < cpu->columns.count; i++)
        text = arena_join(&d->sheet->arena, text, ", ", compare_key(d->sheet, cpu->columns.item[i]));
    return text;
}

/* ---- States */

/* In a few words, for a sentence. */
static const char *short_words(struct document *d, const struct sheet_state *state)
{
    struct arena *arena = &d->sheet->arena;
    if (!state)
        return "not in its sheet";
    switch (state->told.state) {
    case ERRATUM_SEEN:
        return arena_print(arena, "seen (%s)", told_percent(arena, state->told.per_million));
    case ERRATUM_NOT_FIXED:
        return arena_print(arena, "seen in spite of its fix (%s)", told_percent(arena, state->told.per_million));
    case ERRATUM_NOT_SEEN:
        return arena_print(arena, "not seen in %llu checks", (unsigned long long)state->told.asked);
    case ERRATUM_FIXED:
        return "fixed";
    case ERRATUM_NOT_HERE:
        return "not in this state of the CPU";
    case ERRATUM_NOT_JUDGED:
        return "not judged";
    default:
        return strcmp(state->told.because, errata_why_name(JUDGED)) == 0 ? "not tested" : "not provoked";
    }
}

static const char *long_words(struct document *d, const struct sheet_cpu *cpu, const struct sheet_state *state)
{
    struct arena *arena = &d->sheet->arena;
    if (!state)
        return cpu->damaged ? "-" : "not in its sheet";
    const char *words = told_erratum_words(arena, &state->told);
    if (state->told.test[0])
        words = arena_print(arena, "%s, first in %s", words, state->told.test);
    if (state->showing && state->showing < state->machines)
        words = arena_print(arena, "%s, on %u of %u machines", words, state->showing, state->machines);
    return words;
}

static const char *class_of(const struct sheet_state *state)
{
    if (!state)
        return "none";
    return told_shows(&state->told) ? state->told.state == ERRATUM_NOT_FIXED ? "bad" : "shows" : NULL;
}

static bool shows_on(const struct sheet_erratum *erratum, unsigned cpu)
{
    const struct sheet_state *state = sheet_errata_state(erratum, cpu);
    return state && told_shows(&state->told);
}

/* ---- A sentence about two CPUs of one model */

/* How much a difference says about the CPUs: it shows on one alone; another state; another sheet. */
enum weight { WEIGHT_SHOWS, WEIGHT_STATE, WEIGHT_LISTED, WEIGHTS };

static enum weight weight_of(const struct sheet_erratum *erratum, unsigned a, unsigned b)
{
    if (shows_on(erratum, a) != shows_on(erratum, b))
        return WEIGHT_SHOWS;
    return sheet_errata_state(erratum, a) && sheet_errata_state(erratum, b) ? WEIGHT_STATE : WEIGHT_LISTED;
}

/* "freeze-ucode (counters are not frozen reliably) is seen (26 %) with 27 and fixed with 28" */
static const char *difference_of(struct document *d, const struct sheet_erratum *erratum, const unsigned cpu[2],
                                 const char *const with[2])
{
    const char *what = erratum->what;
    return arena_print(&d->sheet->arena, "%s%s%s%s is %s with %s and %s with %s", erratum->number, what[0] ? " (" : "",
                       what, what[0] ? ")" : "", short_words(d, sheet_errata_state(erratum, cpu[0])), with[0],
                       short_words(d, sheet_errata_state(erratum, cpu[1])), with[1]);
}

/* All differences of two CPUs. */
struct difference {
    const char *text;       /* the gravest ones, separated by semicolons */
    unsigned differ, alike; /* in other states, the first NAMED_MOST of them in the text; in the same */
    unsigned only[2];       /* in the sheet of one of them alone, and not seen */
};

static void note_difference(struct document *d, struct difference *all, const struct sheet_erratum *erratum,
                            const unsigned cpu[2], const char *const with[2])
{
    if (all->differ++ < NAMED_MOST)
        all->text = arena_join(&d->sheet->arena, all->text, "; ", difference_of(d, erratum, cpu, with));
}

static struct difference find_differences(struct document *d, const unsigned cpu[2], const char *const with[2])
{
    struct difference all = {.text = ""};
    for (enum weight weight = 0; weight < WEIGHTS; weight++)
        for_each_item (d->sheet->errata.rows, erratum) {
            const struct sheet_state *first = sheet_errata_state(erratum, cpu[0]);
            bool both = first && sheet_errata_state(erratum, cpu[1]);
            if (!sheet_errata_differ(d->sheet, erratum, cpu[0], cpu[1]))
                all.alike += weight == 0 && both;
            else if (weight_of(erratum, cpu[0], cpu[1]) != weight)
                continue;
            else if (weight == WEIGHT_LISTED)
                all.only[first ? 0 : 1]++;
            else
                note_difference(d, &all, erratum, cpu, with);
        }
    return all;
}

/* "; 47 errata are only in the sheet of 06-9E-09; 49 others are alike" */
static const char *remainder_of(struct document *d, const struct difference *all, const char *const with[2])
{
    struct arena *arena = &d->sheet->arena;
    const char *text = "";
    if (all->differ > NAMED_MOST)
        text = arena_print(arena, "; %u more differ", all->differ - NAMED_MOST);
    for (unsigned i = 0; i < 2; i++)
        if (all->only[i])
            text = arena_print(arena, "%s; %u %s only in the sheet of %s", text, all->only[i],
                               all->only[i] == 1 ? "is" : "are", with[i]);
    if (all->alike)
        text = arena_print(arena, "%s; %u other%s alike", text, all->alike, all->alike == 1 ? " is" : "s are");
    return text;
}

/* Of two steppings, or of two revisions of microcode on one. */
struct cpu_pair {
    unsigned cpu[2];
    bool microcode;
    const char *with[2]; /* what parts them: "7b", or "06-5E-03" */
};

static struct cpu_pair pair_of(struct document *d, unsigned a, unsigned b)
{
    const struct sheet_cpu *x = &d->sheet->errata.cpus.item[a], *y = &d->sheet->errata.cpus.item[b];
    if (x->stepping == y->stepping)
        return (struct cpu_pair){{a, b}, true, {print_hex(d, x->revision), print_hex(d, y->revision)}};
    return (struct cpu_pair){{a, b}, false, {signature_name(d, x), signature_name(d, y)}};
}

static void add_sentence(struct document *d, struct node *list, const struct cpu_pair *pair,
                         const struct difference *all)
{
    const struct sheet_cpu *x = &d->sheet->errata.cpus.item[pair->cpu[0]],
                           *y = &d->sheet->errata.cpus.item[pair->cpu[1]];
    struct arena *arena = &d->sheet->arena;
    struct node *item = node_told(d, list, NODE_ITEM, SHEET_ERRATA);
    node_add(d, item, NODE_NAME,
             pair->microcode
                 ? arena_print(arena, "Microcode %s and %s of %s", pair->with[0], pair->with[1], signature_name(d, x))
                 : arena_print(arena, "Steppings %s (microcode %s) and %s (microcode %s)", pair->with[0],
                               print_hex(d, x->revision), pair->with[1], print_hex(d, y->revision)));
    if (x->brand[0])
        node_print(d, item, NODE_TEXT, ", %s", x->brand);
    node_print(d, item, NODE_TEXT, "%s: %s%s.", kind_of(d, x),
               all->differ ? all->text : "no erratum is in another state", remainder_of(d, all, pair->with));
}

/* The newest microcode of the CPU's stepping: steppings are compared by that. */
static bool is_newest(const struct document *d, unsigned cpu)
{
    const struct sheet_errata *errata = &d->sheet->errata;
    return cpu + 1 == errata->cpus.count || !sheet_errata_akin(d->sheet, cpu, cpu + 1) ||
           errata->cpus.item[cpu + 1].stepping != errata->cpus.item[cpu].stepping;
}

/* The next stepping's newest microcode; the CPU itself if there is no further stepping. */
static unsigned next_stepping(const struct document *d, unsigned cpu)
{
    unsigned next = cpu + 1;
    while (next < d->sheet->errata.cpus.count && sheet_errata_akin(d->sheet, cpu, next) && !is_newest(d, next))
        next++;
    return next < d->sheet->errata.cpus.count && sheet_errata_akin(d->sheet, cpu, next) ? next : cpu;
}

/* Only pairs that differ have a sentence each. */
void document_errata_sentences(struct document *d)
{
    struct node *list = NULL;
    unsigned count = d->options->chapter ? 0 : d->sheet->errata.cpus.count, alike = 0;
    for (unsigned i = 0; i + 1 < count; i++) {
        unsigned other = is_newest(d, i) ? next_stepping(d, i) : i + 1;
        if (other == i)
            continue;
        const struct cpu_pair pair = pair_of(d, i, other);
        const struct difference all = find_differences(d, pair.cpu, pair.with);
        list = node_list(d, list, NODE_LIST, "What differs between steppings and microcodes");
        list->class = "findings";
        if (all.differ + all.only[0] + all.only[1])
            add_sentence(d, list, &pair, &all);
        else
            alike++;
    }
    if (alike)
        node_print(d, list, NODE_ITEM, "%u pair%s of steppings or microcodes: no erratum is in another state.", alike,
                   alike == 1 ? "" : "s");
}

/* ---- Side by side */

/* Does it differ between CPUs of one model? */
static bool differs_in_model(const struct document *d, const struct sheet_erratum *erratum)
{
    for (unsigned i = 0; i + 1 < d->sheet->errata.cpus.count; i++)
        if (sheet_errata_akin(d->sheet, i, i + 1) && sheet_errata_differ(d->sheet, erratum, i, i + 1))
            return true;
    return false;
}

/* The part of the list in which an erratum stands: differing ones, seen ones, the others. */
static unsigned part_of(const struct document *d, const struct sheet_erratum *erratum)
{
    if (differs_in_model(d, erratum))
        return 0;
    for (unsigned i = 0; i < d->sheet->errata.cpus.count; i++)
        if (shows_on(erratum, i))
            return 1;
    return 2;
}

static bool is_wide(const struct document *d)
{
    return d->sheet->errata.cpus.count > COMPARE_WIDE;
}

static struct node *add_table(struct document *d, struct node *parent)
{
    struct node *table = node_add(d, parent, NODE_TABLE, NULL), *heads = node_add(d, table, NODE_HEADS, NULL);
    table->class = "beside";
    node_add(d, heads, NODE_HEAD, "erratum");
    if (is_wide(d))
        node_add(d, heads, NODE_HEAD, "by CPU");
    for (unsigned i = 0; !is_wide(d) && i < d->sheet->errata.cpus.count; i++)
        node_print(d, heads, NODE_HEAD, "%s (%s)", cpu_name(d, i), machines_of(d, &d->sheet->errata.cpus.item[i]));
    return table;
}

/* With many CPUs: each that has it in its sheet, in a line of one cell. */
static void add_listed(struct document *d, struct node *cell, const struct sheet_erratum *erratum)
{
    unsigned told = 0;
    for (unsigned i = 0; i < d->sheet->errata.cpus.count; i++) {
        const struct sheet_state *state = sheet_errata_state(erratum, i);
        if (state && told++ < d->size->values)
            node_print(d, cell, NODE_VALUE, "%s: %s", cpu_name(d, i),
                       long_words(d, &d->sheet->errata.cpus.item[i], state))
                ->class
                = class_of(state);
    }
    if (told > d->size->values)
        node_print(d, cell, NODE_VALUE, "and %u more", told - d->size->values);
}

static void add_cells(struct document *d, struct node *row, const struct sheet_erratum *erratum)
{
    for (unsigned i = 0; i < d->sheet->errata.cpus.count; i++) {
        const struct sheet_state *state = sheet_errata_state(erratum, i);
        struct node *cell = node_add(d, row, NODE_CELL, long_words(d, &d->sheet->errata.cpus.item[i], state));
        cell->class = class_of(state);
        cell->key = cpu_name(d, i);
    }
}

static void add_row(struct document *d, struct node *table, const struct sheet_erratum *erratum)
{
    struct node *row = node_add(d, table, NODE_ROW, NULL), *head = node_add(d, row, NODE_HEAD, NULL);
    node_add(d, head, NODE_NAME, erratum->number);
    node_print(d, head, NODE_TEXT, " %s", erratum->what);
    if (is_wide(d))
        add_listed(d, node_add(d, row, NODE_CELL, NULL), erratum);
    else
        add_cells(d, row, erratum);
}

/* Is it in the sheet of this CPU, or of another one of its model? */
static bool concerns(const struct document *d, const struct sheet_erratum *erratum, unsigned cpu)
{
    for_each_item (erratum->states, state)
        if (sheet_errata_akin(d->sheet, state->cpu, cpu))
            return true;
    return false;
}

/* A terminal is too narrow for the table. */
static void add_item(struct document *d, struct node *list, const struct sheet_erratum *erratum)
{
    struct node *item = node_add(d, list, NODE_ITEM, NULL);
    unsigned told = 0;
    node_add(d, item, NODE_NAME, erratum->number);
    node_print(d, item, NODE_TEXT, " %s", erratum->what);
    for (unsigned i = 0; i < d->sheet->errata.cpus.count; i++) {
        const struct sheet_state *state = sheet_errata_state(erratum, i);
        if (concerns(d, erratum, i) && told++ < d->size->values)
            node_line(d, item, arena_print(&d->sheet->arena, "%s: ", cpu_name(d, i)),
                      long_words(d, &d->sheet->errata.cpus.item[i], state));
    }
    node_more(d, item, told, d->size->values);
}

static void add_part(struct document *d, struct node *parent, unsigned part)
{
    for_each_item (d->sheet->errata.rows, row)
        if (part_of(d, row) != part)
            continue;
        else if (d->size->page)
            add_row(d, parent, row);
        else
            add_item(d, parent, row);
}

/* Errata that neither show nor differ: the page folds them, the text leaves them out. */
static void add_rest(struct document *d, unsigned count, bool other, bool all)
{
    if (d->size->page) {
        struct node *rest = node_add(d, d->root, NODE_SECTION,
                                     arena_print(&d->sheet->arena, "%u errata neither show nor differ", count));
        rest->class = "all-rows";
        add_part(d, add_table(d, rest), 2);
    } else if (all) {
        add_part(d, node_add(d, d->root, NODE_LIST, NULL), 2);
    } else {
        node_print(d, d->root, NODE_PARAGRAPH, "%u %serrata neither show nor differ (--chapter=errata)", count,
                   other ? "other " : "");
    }
}

void document_errata(struct document *d)
{
    const struct sheet_errata *errata = &d->sheet->errata;
    bool chosen = d->options->chapter && strcmp(d->options->chapter, sheet_section_name[SHEET_ERRATA]) == 0;
    unsigned parts[3] = {0};
    if (!errata->rows.count || (d->options->chapter && !chosen))
        return;
    for_each_item (errata->rows, row)
        parts[part_of(d, row)]++;
    node_add(d, d->root, NODE_HEADING, "Published errata side by side");
    if (parts[0] + parts[1]) {
        struct node *list = d->size->page ? add_table(d, d->root) : node_add(d, d->root, NODE_LIST, NULL);
        add_part(d, list, 0);
        add_part(d, list, 1);
    } else if (d->size->page) {
        node_add(d, d->root, NODE_PARAGRAPH, "None shows, and none differs."); /* print hides the rest */
    }
    if (parts[2])
        add_rest(d, parts[2], parts[0] + parts[1], d->options->all || chosen);
}
