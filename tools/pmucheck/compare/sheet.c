#include "tools/pmucheck/compare/sheet.h"
#include "tools/pmucheck/report/report.h"
#include <stdlib.h>
#include <string.h>

const char *const sheet_section_name[SHEET_SECTIONS] = {"identity", "capabilities", "results",
                                                        "bits",     "hand-off",     "measurements"};

/* ---- Columns */

static const char *base_name(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    return arena_copy(arena, name, length);
}

static unsigned runs_of_tests(const struct log_file *file)
{
    unsigned count = 0;
    for (unsigned b = 0; b < file->boots.count; b++)
        for (unsigned i = 0; i < file->boots.item[b].runs.count; i++)
            count += log_run_of_tests(&file->boots.item[b].runs.item[i]);
    return count;
}

/* What the user called the machine, else the file; the PMU where a file has several, alone where there is one file. */
static const char *name_of(struct arena *arena, const struct log_file *file, const struct log_boot *boot,
                           const struct log_run *run, bool only_file)
{
    const char *name = log_value(log_find(boot, NULL, "machine"), "name");
    const char *pmu = strncmp(run->pmu, "reference:", 10) == 0 ? run->pmu + 10 : run->pmu;
    bool several = runs_of_tests(file) > 1;
    if (several && only_file)
        return pmu;
    name = name && name[0] ? name : base_name(arena, file->path);
    return several ? arena_print(arena, "%s %s", name, pmu) : name;
}

/* A column for each kind of core: a hybrid's compare with other machines as they do with each other. */
static void add_run(struct sheet *sheet, const struct log_file *file, const struct log_boot *boot,
                    const struct log_run *run, bool only_file)
{
    struct arena *arena = &sheet->arena;
    const char *name = name_of(arena, file, boot, run, only_file);
    struct facts facts;
    facts_read(arena, boot, run, &facts);
    for (unsigned i = 0; i < facts.cores.count || i == 0; i++) {
        struct sheet_column *column = LIST_ADD(arena, &sheet->columns);
        column->facts = facts;
        column->core = facts.cores.count ? &facts.cores.item[i] : NULL;
        column->name = facts.cores.count > 1 ? arena_print(arena, "%s (%s)", name, column->core->kind) : name;
        column->host = -1;
        column->partial = log_find(boot, NULL, "scan");
    }
}

static int compare_columns(const void *a, const void *b)
{
    const struct sheet_column *x = *(struct sheet_column *const *)a, *y = *(struct sheet_column *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x < y ? -1 : x > y);
}

/* Columns of the same name get a number, so that each can be spoken of. */
static void tell_apart(struct sheet *sheet)
{
    unsigned count = sheet->columns.count;
    struct sheet_column **sorted = arena_alloc(&sheet->arena, (count + 1) * sizeof(struct sheet_column *));
    for (unsigned i = 0; i < count; i++)
        sorted[i] = &sheet->columns.item[i];
    if (count)
        qsort(sorted, count, sizeof(*sorted), compare_columns);
    for (unsigned i = 0, same; i < count; i += same) {
        for (same = 1; i + same < count && strcmp(sorted[i]->name, sorted[i + same]->name) == 0;)
            same++;
        for (unsigned k = 0; same > 1 && k < same; k++)
            sorted[i + k]->name = arena_print(&sheet->arena, "%s#%u", sorted[i]->name, k + 1);
    }
}

static void add_columns(struct sheet *sheet, const struct log_file *files, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned b = 0; b < files[i].boots.count; b++) {
            const struct log_boot *boot = &files[i].boots.item[b];
            for (unsigned r = 0; r < boot->runs.count; r++)
                if (log_run_of_tests(&boot->runs.item[r]))
                    add_run(sheet, &files[i], boot, &boot->runs.item[r], count == 1);
        }
}

static int compare_rows(const void *a, const void *b)
{
    const struct sheet_row *x = a, *y = b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    int order = strcmp(x->group, y->group);
    return order ? order : (x->order < y->order ? -1 : x->order > y->order);
}

/* By section and group, then as first told. The hash chains hold no longer afterwards. */
static void sort_rows(struct sheet *sheet)
{
    for (unsigned i = 0; i < sheet->rows.count; i++)
        sheet->rows.item[i].order = i;
    if (sheet->rows.count)
        qsort(sheet->rows.item, sheet->rows.count, sizeof(*sheet->rows.item), compare_rows);
}

void sheet_fill(struct sheet *sheet, const struct log_file *files, unsigned count)
{
    memset(sheet, 0, sizeof(*sheet));
    add_columns(sheet, files, count);
    tell_apart(sheet);
    for (unsigned i = 0; i < sheet->columns.count; i++) {
        sheet_fill_facts(sheet, i);
        sheet_fill_results(sheet, i);
    }
    sheet_split_bits(sheet);
    sort_rows(sheet);
    sheet_fold_families(sheet);
    sheet_judge(sheet);
}

void sheet_free(struct sheet *sheet)
{
    arena_free(&sheet->arena);
}
