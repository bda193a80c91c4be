/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds differing rows and outliers. A fleet is five or more machines of the same CPU, microcode, thread state and
 * image, tested for the same time and on the same number of CPUs. In a fleet a value of less than a tenth of the
 * machines is an outlier; so is a measurement whose median or 99th percentile lies far outside the others' spread (by
 * median and median absolute deviation, which a few outliers hardly move).
 */
#include "tools/docs/errata_table.h"
#include "tools/pmucheck/compare/overview.h"
#include "tools/pmucheck/compare/sheet.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLEET_LEAST 5
#define FAR 8.0       /* deviations from the median */
#define FAR_PART 0.05 /* an outlier is off the median by at least this part of it */
#define FAR_LEAST 1.0 /* an outlier is off the median by at least this much */

/* ---- Which rows differ */

/* The range of medians of machines tested under the same conditions: a test's time influences its measurements. */
struct span {
    sheet_text conditions;
    double low, high;
};

static struct span *span_of(struct span *spans, unsigned *count, sheet_text conditions)
{
    for (unsigned i = 0; i < *count; i++)
        if (spans[i].conditions == conditions)
            return &spans[i];
    spans[*count] = (struct span){conditions, INFINITY, -INFINITY};
    return &spans[(*count)++];
}

static sheet_text conditions_of(const struct sheet *sheet, unsigned column)
{
    return sheet->machines.item[sheet->columns.item[column].machine].conditions;
}

/* Is there a median outside the range that another column measured? A missing measurement is no difference here: the
 * test's outcome shows it. */
static bool measures_differ(const struct sheet *sheet, const struct sheet_row *row, struct span *spans)
{
    unsigned count = 0;
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        const struct sheet_measure *m = sheet_measured(row, c);
        if (!m)
            continue;
        struct span *span = span_of(spans, &count, conditions_of(sheet, c));
        span->low = fmin(span->low, m->median);
        span->high = fmax(span->high, m->median);
    }
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        const struct sheet_measure *m = sheet_measured(row, c);
        const struct span *span = m ? span_of(spans, &count, conditions_of(sheet, c)) : NULL;
        if (m && (span->low < m->min || span->high > m->max))
            return true;
    }
    return false;
}

/* Is `other` the same outcome, perhaps with a reason? */
static bool is_outcome_of(const char *told, const char *other)
{
    size_t length = strlen(told);
    return (strcmp(told, "skip") == 0 || strcmp(told, "review") == 0) && strncmp(other, told, length) == 0 &&
           (other[length] == 0 || other[length] == ':');
}

/* A partial column has no value in most rows, and no reasons for skips and reviews. */
static bool agrees(const struct sheet *sheet, const struct sheet_row *row, unsigned partial, unsigned whole)
{
    char room[SHEET_ROOM], other_room[SHEET_ROOM];
    const char *told = sheet_value(sheet, row, partial, room), *other = sheet_value(sheet, row, whole, other_room);
    if (!told || strcmp(told, SHEET_UNTOLD) == 0 || sheet_same(row, partial, whole))
        return true;
    return other && is_outcome_of(told, other);
}

/* The first column of the best kind: from a whole log, else a damaged log, else photos. */
static unsigned first_whole(const struct sheet *sheet)
{
    unsigned best = 0;
    for (unsigned c = sheet->columns.count; c-- > 0;) {
        const struct sheet_column *column = &sheet->columns.item[c], *other = &sheet->columns.item[best];
        if (2 * column->partial + column->damaged <= 2 * other->partial + other->damaged)
            best = c;
    }
    return best;
}

bool sheet_lost(const struct sheet *sheet, const struct sheet_row *row, unsigned column)
{
    if (row->section == SHEET_HANDOFF && !sheet->columns.item[column].resets && strcmp(row->group, SHEET_RESETS) == 0)
        return true;
    if (!sheet->columns.item[column].damaged)
        return false;
    if (row->section == SHEET_MEASURES)
        return !sheet_measured(row, column);
    const char *text = sheet_text_of(sheet, sheet_number(row, column));
    return (row->section == SHEET_RESULTS && !row->group[0]) || !text || strcmp(text, SHEET_UNTOLD) == 0 ||
           overview_outcome_of(text) == OVERVIEW_LOST;
}

/* ---- Equal but for words */

/* The published erratum of "known: SKL91 ..."; NULL: this program does not know the number. */
static const struct errata_row *erratum_of(const char *text)
{
    char number[32];
    const char *id = text + strlen("known: ");
    snprintf(number, sizeof(number), "%.*s", (int)strcspn(id, " ,;"), id);
    return errata_row_of(number);
}

static bool alike(const char *a, const char *b)
{
    if (strncmp(a, "skip: ", 6) == 0 && strncmp(b, "skip: ", 6) == 0)
        return strcmp(overview_reason(a), overview_reason(b)) == 0;
    if (strncmp(a, "known: ", 7) == 0 && strncmp(b, "known: ", 7) == 0)
        return erratum_of(a) && erratum_of(a) == erratum_of(b);
    return false;
}

bool sheet_alike(const struct sheet *sheet, const struct sheet_row *row, unsigned a, unsigned b)
{
    if (sheet_same(row, a, b))
        return true;
    sheet_text x = sheet_number(row, a), y = sheet_number(row, b);
    if (row->section != SHEET_RESULTS || !x || !y)
        return false;
    struct sheet_pair *pair = &sheet->pairs[(x * 31 + y) % SHEET_PAIRS];
    if (pair->a != x || pair->b != y)
        *pair = (struct sheet_pair){x, y, alike(sheet_text_of(sheet, x), sheet_text_of(sheet, y))};
    return pair->alike;
}

static bool texts_differ(const struct sheet *sheet, const struct sheet_row *row, unsigned base)
{
    for (; base < sheet->columns.count && sheet_lost(sheet, row, base); base++)
        continue; /* skip columns that lost the cell */
    for (unsigned c = 0; c < sheet->columns.count && base < sheet->columns.count; c++) {
        if (sheet_alike(sheet, row, base, c) || sheet_lost(sheet, row, c))
            continue;
        bool partial = sheet->columns.item[c].partial && !sheet->columns.item[base].partial;
        if (!partial || !agrees(sheet, row, c, base))
            return true;
    }
    return false;
}

static bool incidental(const struct sheet_row *row)
{
    return sheet_is_range(row) || (row->section == SHEET_IDENTITY && strcmp(row->name, "TSC kHz") == 0);
}

/* "interval [us]" without its unit. */
static bool chosen(const struct sheet_row *row)
{
    char name[64];
    size_t length = strcspn(row->name, " ");
    if (row->section != SHEET_MEASURES || length >= sizeof(name))
        return false;
    memcpy(name, row->name, length);
    name[length] = 0;
    return facts_chosen(row->group, name);
}

/* ---- Fleets */

static void find_fleets(struct sheet *sheet)
{
    unsigned *fleet = arena_alloc(&sheet->arena, (sheet->texts.keys.count + 1) * sizeof(*fleet));
    for_each_item (sheet->columns, column) {
        if (!fleet[column->equal])
            fleet[column->equal] = ++sheet->fleets;
        column->fleet = fleet[column->equal];
    }
}

/* Marks machines whose options or budget are not those of most machines. */
static void find_otherwise(struct sheet *sheet)
{
    unsigned *count = arena_alloc(&sheet->arena, (sheet->texts.keys.count + 1) * sizeof(*count));
    sheet_text usual = 0;
    for (unsigned i = 0; i < sheet->machines.count; i++) {
        sheet_text conditions = sheet->machines.item[i].conditions;
        if (++count[conditions] > (usual ? count[usual] : 0))
            usual = conditions;
    }
    for_each_item (sheet->machines, machine) {
        /* Photos of the screen have no budget, and no measurements. */
        machine->otherwise = machine->conditions != usual && !sheet->columns.item[machine->first].partial;
    }
}

/* ---- Outliers */

static int compare_columns(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return x < y ? -1 : x > y;
}

static void mark(struct sheet *sheet, struct sheet_row *row, unsigned column)
{
    for (unsigned i = row->outliers.count; i-- > 0;)
        if (row->outliers.item[i] == column)
            return;
    *LIST_ADD(&sheet->arena, &row->outliers) = column;
    sheet->columns.item[column].outliers++;
}

static enum overview_outcome outcome_in(const struct sheet *sheet, const struct sheet_row *row, unsigned column)
{
    bool tells = row->section == SHEET_RESULTS && strcmp(row->name, "outcome") == 0;
    return tells ? overview_outcome_of(sheet_text_of(sheet, sheet_number(row, column))) : OVERVIEW_NONE;
}

/*
 * In the smallest fleets one machine is more than a tenth, and is an outlier if it alone differs. Machines that fail a
 * test which most of their equals pass are outliers, whatever their number. `count_of` is all zeros before and after.
 */
static void mark_texts(struct sheet *sheet, struct sheet_row *row, const unsigned *list, unsigned count,
                       unsigned *count_of)
{
    unsigned most = 0, told = 0, passed = 0;
    for (unsigned i = 0; i < count; i++) {
        if (sheet_lost(sheet, row, list[i]))
            continue;
        unsigned same = ++count_of[sheet_number(row, list[i])];
        most = same > most ? same : most;
        told++;
        passed += outcome_in(sheet, row, list[i]) == OVERVIEW_PASS;
    }
    for (unsigned i = 0; i < count && most < told; i++) {
        unsigned same = count_of[sheet_number(row, list[i])];
        bool rare = (same * 10 < told && most * 10 >= told * 8) || (same == 1 && most == told - 1);
        bool worse = outcome_in(sheet, row, list[i]) <= OVERVIEW_REVIEW && 2 * passed > told;
        if ((rare || worse) && !sheet_lost(sheet, row, list[i]))
            mark(sheet, row, list[i]);
    }
    for (unsigned i = 0; i < count; i++)
        count_of[sheet_number(row, list[i])] = 0;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

const char *bucket_next(const char *histogram, double *value, double *count)
{
    char *end;
    *value = strtod(histogram, &end);
    if (end == histogram || *end != ':')
        return NULL;
    *count = strtod(end + 1, &end);
    return *end == ',' ? end + 1 : end;
}

double sheet_middle(double *values, unsigned count)
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
    bool same = true;
    for (unsigned i = 0; i < count; i++) {
        const struct sheet_measure *m = sheet_measured(row, list[i]);
        if (!m)
            continue;
        values[measured++] = value(m);
        same &= values[measured - 1] == values[0];
    }
    if (measured < FLEET_LEAST || same)
        return;
    double center = sheet_middle(values, measured);
    for (unsigned i = 0; i < measured; i++)
        values[i] = fabs(values[i] - center);
    double far = FAR * 1.4826 * sheet_middle(values, measured);
    far = fmax(far, fmax(FAR_PART * fabs(center), FAR_LEAST));
    for (unsigned i = 0; i < count; i++) {
        const struct sheet_measure *m = sheet_measured(row, list[i]);
        if (m && fabs(value(m) - center) > far)
            mark(sheet, row, list[i]);
    }
}

static void mark_fleet(struct sheet *sheet, const unsigned *list, unsigned count, unsigned *count_of, double *values)
{
    for_each_item (sheet->rows, row) {
        if (row->incidental || row->chosen || !row->differs)
            continue;
        if (row->section != SHEET_MEASURES) {
            mark_texts(sheet, row, list, count, count_of);
            continue;
        }
        mark_values(sheet, row, list, count, median_of, values);
        mark_values(sheet, row, list, count, tail_of, values);
    }
}

/* Sorts the columns by fleet, and marks the outliers of each fleet. */
static void mark_fleets(struct sheet *sheet)
{
    unsigned columns = sheet->columns.count;
    unsigned *start = arena_alloc(&sheet->arena, (sheet->fleets + 2) * sizeof(*start));
    unsigned *list = arena_alloc(&sheet->arena, (columns + 1) * sizeof(*list));
    unsigned *count_of = arena_alloc(&sheet->arena, (sheet->texts.keys.count + 1) * sizeof(*count_of));
    double *values = arena_alloc(&sheet->arena, (columns + 1) * sizeof(*values));
    for (unsigned c = 0; c < columns; c++)
        start[sheet->columns.item[c].fleet + 1]++;
    for (unsigned fleet = 1; fleet <= sheet->fleets + 1; fleet++)
        start[fleet] += start[fleet - 1];
    unsigned *next = arena_alloc(&sheet->arena, (sheet->fleets + 2) * sizeof(*next));
    memcpy(next, start, (sheet->fleets + 2) * sizeof(*next));
    for (unsigned c = 0; c < columns; c++)
        list[next[sheet->columns.item[c].fleet]++] = c;
    for (unsigned fleet = 1; fleet <= sheet->fleets; fleet++)
        if (start[fleet + 1] - start[fleet] >= FLEET_LEAST)
            mark_fleet(sheet, list + start[fleet], start[fleet + 1] - start[fleet], count_of, values);
    for_each_item (sheet->rows, row)
        LIST_SORT(row->outliers, compare_columns);
}

/* ---- Guests: a hypervisor's PMU beside the hardware of the same CPU. */

static void find_hosts(struct sheet *sheet)
{
    for_each_item (sheet->columns, guest)
        for (unsigned h = 0; sheet_virtual(sheet, guest) && h < sheet->columns.count && guest->host < 0; h++) {
            const struct sheet_column *host = &sheet->columns.item[h];
            const struct sheet_machine *one = &sheet->machines.item[host->machine],
                                       *other = &sheet->machines.item[guest->machine];
            if (strcmp(one->pmu, "hardware") == 0 && strcmp(host->kind, guest->kind) == 0 &&
                strcmp(one->signature, other->signature) == 0)
                guest->host = (int)h;
        }
}

void sheet_judge(struct sheet *sheet)
{
    struct span *spans = arena_alloc(&sheet->arena, (sheet->columns.count + 1) * sizeof(*spans));
    unsigned base = first_whole(sheet);
    find_otherwise(sheet);
    for_each_item (sheet->rows, row) {
        row->incidental = incidental(row);
        row->chosen = chosen(row);
        bool texts = texts_differ(sheet, row, base);
        if (row->section != SHEET_MEASURES)
            row->differs = texts && !row->incidental;
        else /* In a fleet also the tail may differ. */
            row->differs =
                texts && !row->chosen && (sheet->columns.count >= FLEET_LEAST || measures_differ(sheet, row, spans));
    }
    find_fleets(sheet);
    mark_fleets(sheet);
    find_hosts(sheet);
}
