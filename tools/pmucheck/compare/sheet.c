/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/compare/sheet.h"
#include <stdlib.h>
#include <string.h>

const char *const sheet_section_name[SHEET_SECTIONS] = {"identity", "capabilities", "results",     "errata",
                                                        "bits",     "hand-off",     "measurements"};
const char *const sheet_verdict_name[SHEET_VERDICTS] = {"fail", "error", "review", "damaged log", "untested", "pass"};

/* ---- Names */

static unsigned runs_of_tests(const struct log_file *file)
{
    unsigned count = 0;
    for_each_item (file->boots, boot)
        for_each_item (boot->runs, run)
            count += log_run_of_tests(run);
    return count;
}

/* The machine's name from the user, else the file's; with the PMU if the file has several; only the PMU if there is one
 * file. */
static const char *name_of(struct sheet *sheet, const struct log_file *file, const struct facts *facts)
{
    const char *name = log_word(facts->machine, "name"), *pmu = facts->run->pmu;
    bool several = runs_of_tests(file) > 1;
    pmu = strncmp(pmu, "reference:", 10) == 0 ? pmu + 10 : pmu;
    if (facts->run->half)
        pmu = arena_print(&sheet->scratch, "%s, %s the update", pmu, facts->run->half);
    if (several && sheet->one_file)
        return sheet_keep(sheet, pmu);
    name = name[0] ? name : log_base_name(&sheet->arena, file->path);
    return several ? arena_print(&sheet->arena, "%s %s", name, pmu) : sheet_keep(sheet, name);
}

static int compare_machines(const void *a, const void *b)
{
    const struct sheet_machine *x = *(struct sheet_machine *const *)a, *y = *(struct sheet_machine *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x < y ? -1 : x > y);
}

/* Adds numbers to machines of the same name, so that names are unique. */
static void tell_apart(struct sheet *sheet)
{
    unsigned count = sheet->machines.count;
    struct sheet_machine **sorted = arena_alloc(&sheet->arena, (count + 1) * sizeof(*sorted));
    for (unsigned i = 0; i < count; i++)
        sorted[i] = &sheet->machines.item[i];
    if (count)
        qsort(sorted, count, sizeof(*sorted), compare_machines);
    for (unsigned i = 0, same; i < count; i += same) {
        const char *name = sorted[i]->name;
        for (same = 1; i + same < count && strcmp(name, sorted[i + same]->name) == 0;)
            same++;
        for (unsigned k = 0; same > 1 && k < same; k++)
            sorted[i + k]->name = arena_print(&sheet->arena, "%s#%u", name, k + 1);
    }
}

static void name_columns(struct sheet *sheet)
{
    for_each_item (sheet->columns, column) {
        const struct sheet_machine *machine = &sheet->machines.item[column->machine];
        column->name =
            machine->kinds > 1 ? arena_print(&sheet->arena, "%s (%s)", machine->name, column->kind) : machine->name;
    }
}

/* ---- Machines */

static enum sheet_verdict verdict_of(const struct log_boot *boot, const struct log_run *run)
{
    const char *told = log_run_verdict(boot, run);
    if (strcmp(told, "fail") == 0)
        return SHEET_FAIL;
    if (strcmp(told, "error") == 0)
        return SHEET_ERROR;
    if (boot->problems.count || !boot->ended || strcmp(told, "lost") == 0)
        return SHEET_DAMAGED;
    if (strcmp(told, "review") == 0)
        return SHEET_REVIEW;
    /* A pass of a virtual PMU is no verdict about silicon; its END line says untested. */
    bool untested = strcmp(told, "pass") != 0 || strcmp(boot->verdict, "untested") == 0;
    return untested ? SHEET_UNTESTED : SHEET_PASS;
}

static unsigned model_of(struct sheet *sheet, const struct sheet_machine *machine)
{
    for (unsigned i = 0; i < sheet->models.count; i++) {
        const struct sheet_model *model = &sheet->models.item[i];
        /* Equal texts of the table have the same address. */
        if (model->brand == machine->brand && model->signature == machine->signature && model->pmu == machine->pmu)
            return i;
    }
    struct sheet_model *model = LIST_ADD(&sheet->arena, &sheet->models);
    *model = (struct sheet_model){machine->brand, machine->signature, machine->pmu, .first = sheet->machines.count - 1};
    return sheet->models.count - 1;
}

static unsigned place_of(struct sheet *sheet, unsigned model, const char *kind)
{
    for (unsigned i = 0; i < sheet->places.count; i++)
        if (sheet->places.item[i].model == model && strcmp(sheet->places.item[i].kind, kind) == 0)
            return i;
    *LIST_ADD(&sheet->arena, &sheet->places) = (struct sheet_place){model, sheet->columns.count - 1, kind};
    return sheet->places.count - 1;
}

static void add_machine(struct sheet *sheet, const struct log_file *file, const struct facts *facts)
{
    const struct log_boot *boot = facts->boot;
    unsigned count[LOG_OUTCOMES + 1];
    struct sheet_machine *machine = LIST_ADD(&sheet->arena, &sheet->machines);
    machine->path = sheet_keep(sheet, file->path);
    machine->name = name_of(sheet, file, facts);
    machine->pmu = sheet_keep(sheet, facts->run->pmu);
    machine->brand = sheet_keep(sheet, facts->brand);
    machine->signature = sheet_keep(sheet, facts->signature);
    machine->microcode = sheet_keep(sheet, facts->microcode);
    machine->threads = sheet_keep(sheet, facts->threads);
    machine->commit = sheet_keep(sheet, boot->commit);
    machine->bios = sheet_keep(sheet, log_word(facts->machine, "bios"));
    machine->date = sheet_keep(sheet, facts_date(boot));
    machine->problem = boot->problems.count ? sheet_keep(sheet, boot->problems.item[0].text) : NULL;
    machine->ended = boot->ended;
    machine->verdict = verdict_of(boot, facts->run);
    machine->conditions = sheet_intern(sheet, facts_conditions(&sheet->scratch, facts));
    log_tally(facts->run, count);
    machine->known = count[LOG_KNOWN];
    machine->first = sheet->columns.count;
    machine->kinds = facts->cores.count ? facts->cores.count : 1;
    machine->model = model_of(sheet, machine);
    if (sheet->judge)
        sheet->judge(sheet, facts, machine);
    sheet->models.item[machine->model].machines++;
    sheet->models.item[machine->model].verdict[machine->verdict]++;
}

/* A column for each kind of core: a hybrid's kinds are compared with other machines and with each other. */
static void add_run(struct sheet *sheet, const struct log_file *file, const struct log_boot *boot,
                    const struct log_run *run)
{
    struct facts facts;
    facts_read(&sheet->scratch, boot, run, &facts);
    add_machine(sheet, file, &facts);
    for (unsigned i = 0; i < facts.cores.count || i == 0; i++) {
        const struct sheet_machine *machine = &sheet->machines.item[sheet->machines.count - 1];
        struct sheet_column *column = LIST_ADD(&sheet->arena, &sheet->columns);
        const struct sheet_source from = {&facts, facts.cores.count ? &facts.cores.item[i] : NULL, &sheet->scratch};
        column->machine = sheet->machines.count - 1;
        column->kind = sheet_keep(sheet, from.core ? from.core->kind : "");
        column->name = machine->name;
        column->place = place_of(sheet, machine->model, column->kind);
        column->host = -1;
        column->partial = log_find(boot, NULL, "scan");
        column->damaged = !boot->ended || boot->problems.count;
        column->equal = sheet_intern(sheet, arena_print(&sheet->scratch, "%s|%s|%s|%s|%s|%s|%s|%s|%d",
                                                        machine->signature, machine->microcode, machine->threads,
                                                        machine->pmu, machine->brand, machine->commit, column->kind,
                                                        sheet_text_of(sheet, machine->conditions), column->partial));
        sheet_open(sheet, sheet->columns.count - 1);
        sheet_fill_facts(sheet, &from);
        sheet_fill_results(sheet, &from);
    }
    arena_reset(&sheet->scratch);
}

/* ---- Logs */

void sheet_begin(struct sheet *sheet, unsigned files)
{
    memset(sheet, 0, sizeof(*sheet));
    sheet->one_file = files == 1;
    sheet->pairs = arena_alloc(&sheet->arena, SHEET_PAIRS * sizeof(*sheet->pairs));
}

static void doubt(struct sheet *sheet, const char *path, const char *problem, bool unusable)
{
    *LIST_ADD(&sheet->arena, &sheet->doubts) =
        (struct sheet_doubt){sheet_keep(sheet, path), sheet_keep(sheet, problem), unusable};
    sheet->unusable += unusable;
}

void sheet_unusable(struct sheet *sheet, const char *path, const char *problem)
{
    doubt(sheet, path, problem, true);
}

void sheet_add(struct sheet *sheet, const struct log_file *file)
{
    bool unusable = runs_of_tests(file) == 0;
    for (unsigned b = 0; b < file->boots.count; b++) {
        const struct log_boot *boot = &file->boots.item[b];
        for_each_item (boot->runs, run)
            if (log_run_of_tests(run))
                add_run(sheet, file, boot, run);
        if (boot->problems.count && (!unusable || b == 0))
            doubt(sheet, file->path, boot->problems.item[0].text, unusable);
    }
    if (unusable && (file->boots.count == 0 || file->boots.item[0].problems.count == 0))
        doubt(sheet, file->path, "the log has no run of tests", true);
}

static int compare_rows(const void *a, const void *b)
{
    const struct sheet_row *x = a, *y = b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    int order = strcmp(x->group, y->group);
    return order ? order : (x->order < y->order ? -1 : x->order > y->order);
}

/* Sorts by section and group, then by first appearance. The index's positions are invalid afterwards. */
static void sort_rows(struct sheet *sheet)
{
    for (unsigned i = 0; i < sheet->rows.count; i++)
        sheet->rows.item[i].order = i;
    LIST_SORT(sheet->rows, compare_rows);
}

void sheet_finish(struct sheet *sheet)
{
    sheet_close(sheet);
    tell_apart(sheet);
    name_columns(sheet);
    sheet_errata_sort(sheet);
    sheet_split_bits(sheet);
    sort_rows(sheet);
    sheet_fold_families(sheet);
    sheet_judge(sheet);
}

void sheet_free(struct sheet *sheet)
{
    arena_free(&sheet->arena);
    arena_free(&sheet->scratch);
}
