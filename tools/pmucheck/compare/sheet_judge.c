/*
 * What differs, and who. A fleet is five or more machines of the same CPU, microcode, thread state and image. In a
 * fleet a value that less than a tenth have is an outlier; a measurement is one if its median or 99th percentile lies
 * far outside of what the others spread (median and median absolute deviation, which a few strangers cannot move).
 */
#include "tools/pmucheck/compare/sheet.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FLEET_LEAST 5
#define FAR 8.0       /* deviations from the median */
#define FAR_PART 0.05 /* an outlier is off the median by at least this part of it */
#define FAR_LEAST 1.0 /* an outlier is off the median by at least this much */

/* ---- Which rows differ */

static bool same_text(const struct sheet_cell *a, const struct sheet_cell *b)
{
    return strcmp(a->text ? a->text : "", b->text ? b->text : "") == 0;
}

/* A median that another column never measured. That a column measured nothing the test's outcome tells. */
static bool measures_differ(const struct sheet *sheet, const struct sheet_row *row)
{
    double low = INFINITY, high = -INFINITY;
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        const struct sheet_measure *m = row->cell[c].measure;
        low = m && m->median < low ? m->median : low;
        high = m && m->median > high ? m->median : high;
    }
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        const struct sheet_measure *m = row->cell[c].measure;
        if (m && (low < m->min || high > m->max))
            return true;
    }
    return false;
}

/* A column that tells a part only says nothing of most rows, and not why a test was skipped. */
static bool agrees(const struct sheet_cell *partial, const struct sheet_cell *whole)
{
    static const char skip[] = "skip";
    bool skips = partial->text && strcmp(partial->text, skip) == 0;
    bool untold = !partial->text || strcmp(partial->text, SHEET_UNTOLD) == 0;
    return untold || same_text(partial, whole) ||
           (skips && whole->text && strncmp(whole->text, skip, strlen(skip)) == 0);
}

static unsigned first_whole(const struct sheet *sheet)
{
    for (unsigned c = 0; c < sheet->columns.count; c++)
        if (!sheet->columns.item[c].partial)
            return c;
    return 0;
}

static bool texts_differ(const struct sheet *sheet, const struct sheet_row *row)
{
    unsigned base = first_whole(sheet);
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        bool partial = sheet->columns.item[c].partial && !sheet->columns.item[base].partial;
        if (partial ? !agrees(&row->cell[c], &row->cell[base]) : !same_text(&row->cell[base], &row->cell[c]))
            return true;
    }
    return false;
}

static bool incidental(const struct sheet_row *row)
{
    return sheet_is_range(row) || (row->section == SHEET_IDENTITY && strcmp(row->name, "TSC kHz") == 0);
}

/* ---- Fleets */

static bool same_kind(const struct sheet_column *a, const struct sheet_column *b)
{
    return strcmp(a->core ? a->core->kind : "", b->core ? b->core->kind : "") == 0;
}

static bool equals(const struct sheet_column *a, const struct sheet_column *b)
{
    return strcmp(a->facts.signature, b->facts.signature) == 0 && strcmp(a->facts.microcode, b->facts.microcode) == 0 &&
           strcmp(a->facts.threads, b->facts.threads) == 0 && strcmp(a->facts.run->pmu, b->facts.run->pmu) == 0 &&
           strcmp(a->facts.brand, b->facts.brand) == 0 && a->partial == b->partial &&
           strcmp(a->facts.boot->commit, b->facts.boot->commit) == 0 && same_kind(a, b);
}

static void find_fleets(struct sheet *sheet)
{
    unsigned first[1024], kinds = 0;
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        unsigned kind = 0;
        while (kind < kinds && !equals(&sheet->columns.item[first[kind]], &sheet->columns.item[c]))
            kind++;
        if (kind == kinds && kinds < 1024)
            first[kinds++] = c;
        sheet->columns.item[c].fleet = kind + 1;
    }
    sheet->fleets = kinds;
}

static unsigned members(const struct sheet *sheet, unsigned fleet, unsigned *list)
{
    unsigned count = 0;
    for (unsigned c = 0; c < sheet->columns.count; c++)
        if (sheet->columns.item[c].fleet == fleet)
            list[count++] = c;
    return count;
}

/* ---- Outliers */

static void mark(struct sheet *sheet, struct sheet_row *row, unsigned column)
{
    if (!row->cell[column].outlier)
        sheet->columns.item[column].outliers++;
    row->cell[column].outlier = true;
}

/* How many of the fleet say the same as each, and the most that do. */
static unsigned count_same(const struct sheet_row *row, const unsigned *list, unsigned count, unsigned *same)
{
    unsigned most = 0;
    memset(same, 0, count * sizeof(*same));
    for (unsigned i = 0; i < count; i++) {
        if (same[i])
            continue; /* told with an earlier one */
        unsigned equal = 0;
        for (unsigned k = i; k < count; k++)
            equal += same_text(&row->cell[list[i]], &row->cell[list[k]]);
        for (unsigned k = i; k < count; k++)
            if (same_text(&row->cell[list[i]], &row->cell[list[k]]))
                same[k] = equal;
        most = equal > most ? equal : most;
    }
    return most;
}

/* In the smallest fleets one machine is more than a tenth. */
static void mark_texts(struct sheet *sheet, struct sheet_row *row, const unsigned *list, unsigned count, unsigned *same)
{
    unsigned most = count_same(row, list, count, same);
    for (unsigned i = 0; i < count; i++)
        if ((same[i] * 10 < count && most * 10 >= count * 8) || (same[i] == 1 && most == count - 1))
            mark(sheet, row, list[i]);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double middle(double *values, unsigned count)
{
    qsort(values, count, sizeof(*values), compare_doubles);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static double median_of(const struct sheet_measure *m)
{
    return m->median;
}

static double tail_of(const struct sheet_measure *m)
{
    return m->p99;
}

static void mark_values(struct sheet *sheet, struct sheet_row *row, const unsigned *list, unsigned count,
                        double (*value)(const struct sheet_measure *), double *values)
{
    unsigned measured = 0;
    for (unsigned i = 0; i < count; i++)
        if (row->cell[list[i]].measure)
            values[measured++] = value(row->cell[list[i]].measure);
    if (measured < FLEET_LEAST)
        return;
    double center = middle(values, measured);
    for (unsigned i = 0; i < measured; i++)
        values[i] = fabs(values[i] - center);
    double far = FAR * 1.4826 * middle(values, measured);
    far = fmax(far, fmax(FAR_PART * fabs(center), FAR_LEAST));
    for (unsigned i = 0; i < count; i++)
        if (row->cell[list[i]].measure && fabs(value(row->cell[list[i]].measure) - center) > far)
            mark(sheet, row, list[i]);
}

static void mark_fleet(struct sheet *sheet, const unsigned *list, unsigned count)
{
    double *values = arena_alloc(&sheet->arena, count * sizeof(*values));
    unsigned *same = arena_alloc(&sheet->arena, count * sizeof(*same));
    for (unsigned i = 0; i < sheet->rows.count; i++) {
        struct sheet_row *row = &sheet->rows.item[i];
        if (row->incidental || !row->differs)
            continue;
        if (row->section != SHEET_MEASURES) {
            mark_texts(sheet, row, list, count, same);
            continue;
        }
        mark_values(sheet, row, list, count, median_of, values);
        mark_values(sheet, row, list, count, tail_of, values);
    }
}

/* ---- Guests: a hypervisor's PMU beside the hardware of the same CPU. */

static void find_hosts(struct sheet *sheet)
{
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        struct sheet_column *guest = &sheet->columns.item[c];
        for (unsigned h = 0; sheet_virtual(guest) && h < sheet->columns.count && guest->host < 0; h++) {
            const struct sheet_column *host = &sheet->columns.item[h];
            if (strcmp(host->facts.run->pmu, "hardware") == 0 && same_kind(host, guest) &&
                strcmp(host->facts.signature, guest->facts.signature) == 0)
                guest->host = (int)h;
        }
    }
}

void sheet_judge(struct sheet *sheet)
{
    unsigned *list = arena_alloc(&sheet->arena, (sheet->columns.count + 1) * sizeof(*list));
    for (unsigned i = 0; i < sheet->rows.count; i++) {
        struct sheet_row *row = &sheet->rows.item[i];
        row->incidental = incidental(row);
        row->differs = row->section == SHEET_MEASURES ? texts_differ(sheet, row) && measures_differ(sheet, row)
                                                      : texts_differ(sheet, row) && !row->incidental;
        /* The tail may tell what the median does not. */
        row->differs |=
            row->section == SHEET_MEASURES && sheet->columns.count >= FLEET_LEAST && texts_differ(sheet, row);
    }
    find_fleets(sheet);
    for (unsigned fleet = 1; fleet <= sheet->fleets; fleet++) {
        unsigned count = members(sheet, fleet, list);
        if (count >= FLEET_LEAST)
            mark_fleet(sheet, list, count);
    }
    find_hosts(sheet);
}
