/* Cells of a sheet, found by what they are about. */
#include "tools/pmucheck/compare/sheet.h"
#include <stdarg.h>
#include <string.h>

static unsigned hash(enum sheet_section section, const char *group, const char *name)
{
    unsigned value = 2166136261u + section;
    for (const char *c = group; *c; c++)
        value = (value ^ (unsigned char)*c) * 16777619u;
    value = (value ^ 0xff) * 16777619u;
    for (const char *c = name; *c; c++)
        value = (value ^ (unsigned char)*c) * 16777619u;
    return value % SHEET_CHAINS;
}

static struct sheet_row *find_row(struct sheet *sheet, enum sheet_section section, const char *group, const char *name)
{
    unsigned *chain = &sheet->chain[hash(section, group, name)];
    for (unsigned i = *chain; i; i = sheet->rows.item[i - 1].next) {
        struct sheet_row *row = &sheet->rows.item[i - 1];
        if (row->section == section && strcmp(row->group, group) == 0 && strcmp(row->name, name) == 0)
            return row;
    }
    struct sheet_row *row = LIST_ADD(&sheet->arena, &sheet->rows);
    *row = (struct sheet_row){.section = section, .next = *chain};
    row->group = arena_copy(&sheet->arena, group, strlen(group));
    row->name = arena_copy(&sheet->arena, name, strlen(name));
    row->cell = arena_alloc(&sheet->arena, sheet->columns.count * sizeof(*row->cell));
    *chain = sheet->rows.count;
    return row;
}

struct sheet_cell *sheet_cell(struct sheet *sheet, unsigned column, enum sheet_section section, const char *group,
                              const char *name)
{
    return &find_row(sheet, section, group, name)->cell[column];
}

/* Is the text one of those that stand between semicolons? */
static bool says(const char *whole, const char *text)
{
    size_t length = strlen(text);
    for (const char *part = whole; part; part = strstr(part, "; ") ? strstr(part, "; ") + 2 : NULL)
        if (strncmp(part, text, length) == 0 && (part[length] == 0 || part[length] == ';'))
            return true;
    return false;
}

void sheet_set(struct sheet *sheet, unsigned column, enum sheet_section section, const char *group, const char *name,
               const char *format, ...)
{
    struct sheet_cell *cell = sheet_cell(sheet, column, section, group, name);
    va_list args;
    va_start(args, format);
    const char *text = arena_vprint(&sheet->arena, format, args);
    va_end(args);
    if (cell->text && !says(cell->text, text))
        text = arena_print(&sheet->arena, "%s; %s", cell->text, text);
    else if (cell->text)
        text = cell->text;
    cell->text = text;
}

bool sheet_about(const struct sheet_column *column, const char *cpus)
{
    return !cpus || !column->core || facts_cpus_meet(cpus, column->core->cpus);
}

bool sheet_virtual(const struct sheet_column *column)
{
    return strncmp(column->facts.run->pmu, "virtual:", 8) == 0;
}
