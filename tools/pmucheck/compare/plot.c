/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/compare/plot.h"
#include <math.h>
#include <string.h>

#define WIDTH 320.0
#define HEIGHT 130.0
#define LEFT 30.0
#define RIGHT 10.0
#define TOP 8.0
#define BOTTOM 20.0
#define CURVES 8
#define POINTS 512

struct point {
    double value, count;
};

struct curve {
    const char *name;
    struct point point[POINTS];
    unsigned points;
    double total;
};

struct plot {
    struct curve curve[CURVES];
    unsigned curves;
    double low, high;
    bool logarithmic;
};

static const char *const colours[CURVES] = {"#3b7dd8", "#d8662b", "#2f9e62", "#a14fc4",
                                            "#c43a5a", "#8a7a1c", "#1c8a8a", "#777777"};

/* ---- Data */

/* The log has the buckets in rising order; equal buckets of several machines are added. */
static void add_histogram(struct curve *curve, const char *histogram)
{
    double value, count;
    while ((histogram = bucket_next(histogram, &value, &count))) {
        unsigned at = 0;
        while (at < curve->points && curve->point[at].value < value)
            at++;
        if (at == curve->points || curve->point[at].value != value) {
            if (curve->points == POINTS)
                return;
            memmove(&curve->point[at + 1], &curve->point[at], (curve->points - at) * sizeof(struct point));
            curve->point[at] = (struct point){value, 0};
            curve->points++;
        }
        curve->point[at].count += count;
        curve->total += count;
    }
}

static struct curve *new_curve(struct plot *plot, const char *name)
{
    struct curve *curve = &plot->curve[plot->curves++];
    memset(curve, 0, sizeof(*curve));
    curve->name = name;
    return curve;
}

static void find_range(struct plot *plot)
{
    plot->low = INFINITY;
    plot->high = -INFINITY;
    for (unsigned i = 0; i < plot->curves; i++)
        if (plot->curve[i].points) {
            plot->low = fmin(plot->low, plot->curve[i].point[0].value);
            plot->high = fmax(plot->high, plot->curve[i].point[plot->curve[i].points - 1].value);
        }
    if (plot->high <= plot->low)
        plot->high = plot->low + 1;
    plot->logarithmic = plot->low >= 0 && plot->high > 20 * fmax(plot->low, 1);
}

/* With many machines: one curve for all others together, then the outliers, up to the number of colours. */
static void gather(struct plot *plot, struct sheet *sheet, const struct sheet_row *row)
{
    bool many = sheet->columns.count > CURVES;
    plot->curves = 0;
    struct curve *others = many ? new_curve(plot, "the others") : NULL;
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        const struct sheet_measure *m = sheet_measured(row, c);
        if (!m || !m->histogram)
            continue;
        bool own = !many || (sheet_outlier(row, c) && plot->curves < CURVES);
        add_histogram(own ? new_curve(plot, sheet->columns.item[c].name) : others, sheet_text_of(sheet, m->histogram));
    }
    find_range(plot);
}

/* ---- Drawing */

static double place_x(const struct plot *plot, double value)
{
    double from = plot->logarithmic ? log1p(plot->low) : plot->low,
           to = plot->logarithmic ? log1p(plot->high) : plot->high;
    double at = plot->logarithmic ? log1p(value) : value;
    return LEFT + (WIDTH - LEFT - RIGHT) * (at - from) / (to - from);
}

static double place_y(double part)
{
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part;
}

static void label(xmlTextWriterPtr xml, double x, double y, const char *anchor, const char *text)
{
    xml_markup(xml, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, text);
}

static void axes(xmlTextWriterPtr xml, const struct plot *plot)
{
    static const char *const marks[3] = {"0", "50", "100"};
    char text[32];
    for (unsigned i = 0; i < 3; i++) {
        xml_markup(xml, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#8888\"/>", LEFT,
                   place_y(i / 2.0), WIDTH - RIGHT, place_y(i / 2.0));
        label(xml, LEFT - 3, place_y(i / 2.0) + (i == 2 ? 8 : 3), "end", marks[i]);
    }
    snprintf(text, sizeof(text), "%.0f", plot->low);
    label(xml, LEFT, HEIGHT - 5, "start", text);
    snprintf(text, sizeof(text), "%.0f%s", plot->high, plot->logarithmic ? " (log)" : "");
    label(xml, WIDTH - RIGHT, HEIGHT - 5, "end", text);
}

static void draw(xmlTextWriterPtr xml, const struct plot *plot, const struct curve *curve, const char *colour)
{
    double sum = 0;
    xml_markup(xml, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" d=\"M%.1f %.1f", colour,
               place_x(plot, plot->low), place_y(0));
    for (unsigned i = 0; i < curve->points; i++) {
        sum += curve->point[i].count;
        xml_markup(xml, "H%.1fV%.1f", place_x(plot, curve->point[i].value),
                   place_y(curve->total > 0 ? sum / curve->total : 0));
    }
    xml_markup(xml, "H%.1f\"/>", WIDTH - RIGHT);
}

static void legend(xmlTextWriterPtr xml, const struct plot *plot)
{
    xml_begin(xml, "div", "class", "legend");
    for (unsigned i = 0; i < plot->curves; i++) {
        xml_begin(xml, "span");
        xml_attribute(xml, "style", "--c:%s", colours[i]);
        xml_text(xml, plot->curve[i].name);
        xml_end_tag(xml);
    }
    xml_end_tag(xml);
}

void plot_write(xmlTextWriterPtr xml, struct sheet *sheet, const struct sheet_row *row)
{
    static struct plot plot;
    gather(&plot, sheet, row);
    xml_begin(xml, "svg");
    xml_attribute(xml, "viewBox", "0 0 %.0f %.0f", WIDTH, HEIGHT);
    xml_attribute(xml, "role", "img");
    xml_attribute(xml, "aria-label", "%s", compare_row_name(&sheet->arena, row));
    axes(xml, &plot);
    for (unsigned i = 0; i < plot.curves; i++)
        draw(xml, &plot, &plot.curve[i], colours[i]);
    xml_end_tag(xml);
    legend(xml, &plot);
}

/* ---- A range */

#define RANGE_WIDTH 120.0
#define RANGE_LINE 6.0  /* height of the bar from low to high */
#define RANGE_HILL 18.0 /* height of the distribution above it */
#define RANGE_MARK 2.0

static double range_x(const struct node_range *range, double value)
{
    return (RANGE_WIDTH - RANGE_MARK) * range_place(range, value);
}

/* A bar around this height. */
static void bar(xmlTextWriterPtr xml, double x, double width, double y, double height, const char *colour)
{
    xml_markup(xml, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>", x, y - height / 2,
               width, height, colour);
}

/* The distribution: the highest bin has the full height, and none that has samples is invisible. */
static void hill(xmlTextWriterPtr xml, const struct node_range *range, double highest)
{
    double width = RANGE_WIDTH / RANGE_BINS;
    xml_markup(xml, "<path fill=\"%s\" d=\"", colours[0]);
    for (unsigned i = 0; i < RANGE_BINS; i++) {
        double height = range->bin[i] > 0 ? fmax(RANGE_HILL * range->bin[i] / highest, 1) : 0;
        if (height > 0)
            xml_markup(xml, "M%.1f %.1fv%.1fh%.1fv%.1fz", i * width, RANGE_HILL, -height, width, height);
    }
    xml_markup(xml, "\"/>");
}

void plot_range(xmlTextWriterPtr xml, const struct node_range *range)
{
    double low = range_x(range, range->low), high = range_x(range, range->high), highest = 0, line;
    for (unsigned i = 0; i < RANGE_BINS; i++)
        highest = fmax(highest, range->bin[i]);
    line = (highest > 0 ? RANGE_HILL + 1 : 0) + RANGE_LINE / 2;
    xml_begin(xml, "svg");
    xml_attribute(xml, "viewBox", "0 0 %.0f %.0f", RANGE_WIDTH, line + RANGE_LINE / 2);
    xml_attribute(xml, "aria-hidden", "true");
    if (highest > 0)
        hill(xml, range, highest);
    bar(xml, 0, RANGE_WIDTH, line, 1, "#8884");
    bar(xml, low, high - low + RANGE_MARK, line, 3, colours[0]);
    bar(xml, range_x(range, range->middle), RANGE_MARK, line, RANGE_LINE, colours[1]);
    xml_end_tag(xml);
}
