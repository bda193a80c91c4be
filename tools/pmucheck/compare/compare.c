#include "tools/pmucheck/compare/compare.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KEYS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define NAMED_MOST 8

static bool is_section(const struct sheet_row *row, const char *chapter)
{
    const char *name = sheet_section_name[row->section];
    if (row->section == SHEET_HANDOFF && strcmp(chapter, "handoff") == 0)
        return true;
    return strcmp(name, chapter) == 0;
}

bool compare_shows(const struct sheet_row *row, const struct compare_options *options)
{
    const char *chapter = options->chapter;
    if (!row->differs && !options->all)
        return false;
    if (!chapter || is_section(row, chapter))
        return true;
    size_t length = strlen(chapter);
    return (row->section == SHEET_RESULTS || row->section == SHEET_MEASURES) &&
           strncmp(row->group, chapter, length) == 0 && row->group[length] == '.';
}

static int more_first(const void *a, const void *b)
{
    const struct compare_value *x = a, *y = b;
    return x->columns != y->columns ? (x->columns > y->columns ? -1 : 1) : (x->column[0] < y->column[0] ? -1 : 1);
}

void compare_collect(struct sheet *sheet, const struct sheet_row *row, struct compare_values *values)
{
    memset(values, 0, sizeof(*values));
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        const char *text = row->cell[c].text ? row->cell[c].text : "-";
        struct compare_value *value = NULL;
        for (unsigned i = 0; i < values->list.count && !value; i++)
            if (strcmp(values->list.item[i].text, text) == 0)
                value = &values->list.item[i];
        if (!value) {
            value = LIST_ADD(&sheet->arena, &values->list);
            value->text = text;
            value->column = arena_alloc(&sheet->arena, sheet->columns.count * sizeof(unsigned));
        }
        value->column[value->columns++] = c;
        value->outlier |= row->cell[c].outlier;
    }
    if (values->list.count)
        qsort(values->list.item, values->list.count, sizeof(*values->list.item), more_first);
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

const char *compare_who(struct sheet *sheet, const struct compare_value *value)
{
    const char *text = "";
    if (value->columns > NAMED_MOST)
        return arena_print(&sheet->arena, "%u machines", value->columns);
    for (unsigned i = 0; i < value->columns; i++)
        text = arena_print(&sheet->arena, "%s%s%s", text, i ? ", " : "", compare_key(sheet, value->column[i]));
    return text;
}

const char *compare_about(struct sheet *sheet, unsigned column)
{
    const struct facts *facts = &sheet->columns.item[column].facts;
    const struct log_boot *boot = facts->boot;
    return arena_print(&sheet->arena, "%s, %s, signature %s, microcode %s: %s%s%s", facts->run->pmu,
                       facts->brand[0] ? facts->brand : "unnamed CPU", facts->signature, facts->microcode,
                       log_run_verdict(boot, facts->run), boot->ended ? "" : ", no END line",
                       boot->ended && boot->problems.count ? ", damaged log" : "");
}

const char *compare_span(struct sheet *sheet, const struct sheet_row *row)
{
    double low = INFINITY, high = -INFINITY;
    for (unsigned c = 0; c < sheet->columns.count; c++)
        if (row->cell[c].measure) {
            low = fmin(low, row->cell[c].measure->median);
            high = fmax(high, row->cell[c].measure->median);
        }
    return low == high ? arena_print(&sheet->arena, "%.0f", low)
                       : arena_print(&sheet->arena, "%.0f to %.0f", low, high);
}

static const struct sheet *being_sorted;

static int worst_first(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
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

unsigned compare_fleet_size(const struct sheet *sheet, unsigned fleet)
{
    unsigned count = 0;
    for (unsigned c = 0; c < sheet->columns.count; c++)
        count += sheet->columns.item[c].fleet == fleet;
    return count;
}

unsigned compare_guest(const struct sheet *sheet, unsigned guest, enum sheet_section section)
{
    unsigned host = (unsigned)sheet->columns.item[guest].host, count = 0;
    for (unsigned i = 0; i < sheet->rows.count; i++) {
        const struct sheet_row *row = &sheet->rows.item[i];
        const char *a = row->cell[guest].text, *b = row->cell[host].text;
        count += row->section == section && row->differs && strcmp(a ? a : "", b ? b : "") != 0;
    }
    return count;
}

const char *compare_row_name(struct sheet *sheet, const struct sheet_row *row)
{
    return arena_print(&sheet->arena, "%s%s%s", row->group, row->group[0] ? " " : "", row->name);
}
