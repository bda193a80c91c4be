/* SPDX-License-Identifier: BSD-2-Clause */
/* What models can do, side by side: skid, latencies, distances of records, as measured on all of a model's machines. */
#include "tools/pmucheck/compare/document.h"
#include <math.h>
#include <string.h>

/* The measurements that decide what a PMU is good for, and a model's column heading for each. */
static const struct {
    const char *test, *name, *words;
} measures[] = {
    {"pmi.skid", "instructions", "skid, instructions"},
    {"pmi.skid", "branches", "skid, branches"},
    {"pmi.latency", "latency", "PMI after, ticks"},
    {"pebs.spacing", "distance-precise", "precise records, instructions apart"},
    {"pebs.latency", "latency", "load latency, cycles"},
    {"freeze.flow-cost", "global-ctrl", "a stop in the handler, ticks"},
};
#define MEASURES (sizeof(measures) / sizeof(measures[0]))

/* A kind of core of a model, by its first column, and what its columns measured. */
struct place {
    unsigned first;
    struct measured {
        LIST(double) medians;          /* one of each column; none: not measured */
        LIST(const char *) histograms; /* of the first columns, for the picture */
        struct node_range range;
    } measured[MEASURES];
};

struct atlas {
    const struct sheet_row *row[MEASURES]; /* NULL: no log has it */
    LIST(struct place) places;             /* the sheet's */
};

static void add_measure(struct sheet *sheet, struct measured *to, const struct sheet_measure *m)
{
    struct node_range *range = &to->range;
    if (!to->medians.count)
        *range = (struct node_range){.low = INFINITY, .high = -INFINITY};
    range->low = fmin(range->low, m->min);
    range->high = fmax(range->high, m->max);
    *LIST_ADD(&sheet->arena, &to->medians) = m->median;
    if (m->histogram)
        *LIST_ADD(&sheet->arena, &to->histograms) = sheet_text_of(sheet, m->histogram);
}

static void gather(struct sheet *sheet, struct atlas *atlas)
{
    *atlas = (struct atlas){0};
    for_each_item (sheet->places, place)
        LIST_ADD(&sheet->arena, &atlas->places)->first = place->first;
    for (unsigned i = 0; i < MEASURES; i++)
        atlas->row[i] = sheet_row_of(sheet, SHEET_MEASURES, measures[i].test, measures[i].name);
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        struct place *place = &atlas->places.item[sheet->columns.item[c].place];
        for (unsigned i = 0; i < MEASURES; i++) {
            const struct sheet_measure *m = atlas->row[i] ? sheet_measured(atlas->row[i], c) : NULL;
            if (m)
                add_measure(sheet, &place->measured[i], m);
        }
    }
}

double range_place(const struct node_range *range, double value)
{
    double from = log1p(range->least), to = log1p(range->most);
    return to > from ? fmin(fmax((log1p(value) - from) / (to - from), 0), 1) : 0;
}

static void fill_bins(struct measured *m)
{
    double value, count;
    for_each_item (m->histograms, histogram)
        for (const char *at = *histogram; (at = bucket_next(at, &value, &count));) {
            unsigned bin = (unsigned)(range_place(&m->range, value) * RANGE_BINS);
            m->range.bin[bin < RANGE_BINS ? bin : RANGE_BINS - 1] += count;
        }
}

/* The middle is the median of the medians; the ends of the axis are those of all models. */
static void finish(struct atlas *atlas, unsigned measure)
{
    double least = INFINITY, most = -INFINITY;
    for_each_item (atlas->places, place) {
        struct measured *m = &place->measured[measure];
        if (!m->medians.count)
            continue;
        m->range.middle = sheet_middle(m->medians.item, m->medians.count);
        least = fmin(least, m->range.low);
        most = fmax(most, m->range.high);
    }
    for_each_item (atlas->places, place) {
        place->measured[measure].range.least = least;
        place->measured[measure].range.most = most;
        fill_bins(&place->measured[measure]);
    }
}

static const char *range_text(struct document *d, const struct measured *m)
{
    const struct node_range *range = &m->range;
    if (!m->medians.count)
        return "-";
    return range->low == range->high
               ? arena_print(&d->sheet->arena, "%.0f", range->middle)
               : arena_print(&d->sheet->arena, "%.0f (%.0f to %.0f)", range->middle, range->low, range->high);
}

static void add_row(struct document *d, struct node *beside, const struct atlas *atlas, const struct place *place)
{
    struct node *row = node_beside_row(d, beside, overview_short_kind(d->sheet, place->first));
    for (unsigned i = 0; i < MEASURES; i++) {
        const struct measured *m = &place->measured[i];
        if (d->size->page && atlas->row[i]) {
            struct node *cell = node_add(d, row, NODE_CELL, range_text(d, m));
            cell->key = measures[i].words;
            cell->range = m->medians.count ? &m->range : NULL;
        } else if (!d->size->page && m->medians.count) {
            node_line(d, row, arena_print(&d->sheet->arena, "%s: ", measures[i].words), range_text(d, m));
        }
    }
}

/* Places without any of these measurements are left out. */
static bool has_values(const struct place *place)
{
    for (unsigned i = 0; i < MEASURES; i++)
        if (place->measured[i].medians.count)
            return true;
    return false;
}

static unsigned places_with_values(const struct atlas *atlas)
{
    unsigned count = 0;
    for_each_item (atlas->places, place)
        count += has_values(place);
    return count;
}

void document_atlas(struct document *d)
{
    struct atlas *atlas = arena_alloc(&d->sheet->arena, sizeof(*atlas)); /* cells keep its ranges */
    gather(d->sheet, atlas);
    if (d->options->chapter || places_with_values(atlas) < 2)
        return;
    for (unsigned i = 0; i < MEASURES; i++)
        finish(atlas, i);
    struct node *beside = node_beside(d, "Atlas: models side by side, median (least to greatest)", "atlas", "model");
    for (unsigned i = 0; i < MEASURES; i++)
        if (atlas->row[i])
            node_column(d, beside, measures[i].words);
    for (unsigned i = 0; i < atlas->places.count && i < d->size->models; i++)
        if (has_values(&atlas->places.item[i]))
            add_row(d, beside, atlas, &atlas->places.item[i]);
}
