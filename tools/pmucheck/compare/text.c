/* The comparison for a terminal, and as Markdown. */
#include "tools/pmucheck/compare/compare.h"
#include <string.h>

#define OUTLIER_ROWS 6 /* named for each machine */

struct writer {
    FILE *out;
    struct sheet *sheet;
    const struct compare_options *options;
    bool markdown;
};

/* ---- Text that Markdown would take for its own */

static void put(struct writer *w, const char *text)
{
    for (; *text; text++) {
        if (w->markdown && strchr("|*_`<>[]\\#", *text))
            fputc('\\', w->out);
        fputc(*text == '\n' ? ' ' : *text, w->out);
    }
}

static void heading(struct writer *w, const char *text)
{
    fprintf(w->out, w->markdown ? "\n## %s\n\n" : "\n%s\n", text);
}

/* ---- Machines */

static void write_columns(struct writer *w)
{
    struct sheet *sheet = w->sheet;
    fprintf(w->out, "%s%u runs side by side\n", w->markdown ? "# " : "", sheet->columns.count);
    if (w->markdown)
        fprintf(w->out, "\n| | machine | what it is |\n|---|---|---|\n");
    for (unsigned c = 0; c < sheet->columns.count && sheet->columns.count <= COMPARE_WIDE; c++) {
        const char *key = compare_key(sheet, c);
        fprintf(w->out, w->markdown ? "| %s | " : "  %s  ", key);
        put(w, sheet->columns.item[c].name);
        fprintf(w->out, w->markdown ? " | " : ": ");
        put(w, compare_about(sheet, c));
        fprintf(w->out, w->markdown ? " |\n" : "\n");
    }
}

/* A line for each kind of machine, where there are too many for one each. */
static void write_fleets(struct writer *w)
{
    struct sheet *sheet = w->sheet;
    unsigned told = 0;
    for (unsigned c = 0; c < sheet->columns.count && sheet->columns.count > COMPARE_WIDE; c++) {
        if (sheet->columns.item[c].fleet <= told)
            continue;
        told = sheet->columns.item[c].fleet;
        unsigned size = compare_fleet_size(sheet, told);
        fprintf(w->out, w->markdown ? "| %u | " : size > 1 ? "  %u machines as " : "  ", size);
        put(w, sheet->columns.item[c].name);
        fprintf(w->out, w->markdown ? " | " : ": ");
        put(w, compare_about(sheet, c));
        fprintf(w->out, w->markdown ? " |\n" : "\n");
    }
}

/* ---- Outliers */

static void write_outlier(struct writer *w, unsigned column)
{
    struct sheet *sheet = w->sheet;
    unsigned told = 0;
    fprintf(w->out, "%s", w->markdown ? "- **" : "  ");
    put(w, sheet->columns.item[column].name);
    fprintf(w->out, "%s differs from its equals in %u row%s:", w->markdown ? "**" : "",
            sheet->columns.item[column].outliers, sheet->columns.item[column].outliers > 1 ? "s" : "");
    for (unsigned i = 0; i < sheet->rows.count && told < OUTLIER_ROWS; i++) {
        const struct sheet_row *row = &sheet->rows.item[i];
        if (!row->cell[column].outlier)
            continue;
        fprintf(w->out, "%s", w->markdown ? "\n  - " : "\n      ");
        put(w, compare_row_name(sheet, row));
        fprintf(w->out, ": ");
        put(w, row->cell[column].text ? row->cell[column].text : "not told");
        if (row->section == SHEET_MEASURES)
            fprintf(w->out, " (medians of all: %s)", compare_span(sheet, row));
        told++;
    }
    fputc('\n', w->out);
}

static void write_outliers(struct writer *w)
{
    unsigned *columns, count = compare_worst(w->sheet, &columns);
    if (!count)
        return;
    heading(w, "OUTLIERS");
    for (unsigned i = 0; i < count; i++)
        write_outlier(w, columns[i]);
}

/* ---- Guests */

static void write_guests(struct writer *w)
{
    struct sheet *sheet = w->sheet;
    bool some = false;
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        const struct sheet_column *guest = &sheet->columns.item[c];
        if (guest->host < 0)
            continue;
        if (!some)
            heading(w, "GUESTS");
        some = true;
        fprintf(w->out, w->markdown ? "- " : "  ");
        put(w, guest->name);
        fprintf(w->out, " (");
        put(w, guest->facts.run->pmu);
        fprintf(w->out, ") changes what its hardware ");
        put(w, sheet->columns.item[guest->host].name);
        fprintf(w->out, " shows:");
        for (unsigned s = SHEET_CAPABILITIES; s < SHEET_SECTIONS; s++)
            fprintf(w->out, "%s %u of %s", s > SHEET_CAPABILITIES ? "," : "", compare_guest(sheet, c, s),
                    sheet_section_name[s]);
        fputc('\n', w->out);
    }
}

/* ---- Rows */

/* A measurement of many machines: the range of medians, and who lies outside. */
static void write_span(struct writer *w, const struct sheet_row *row)
{
    struct sheet *sheet = w->sheet;
    fprintf(w->out, "medians %s", compare_span(sheet, row));
    for (unsigned c = 0; c < sheet->columns.count; c++)
        if (row->cell[c].outlier) {
            fprintf(w->out, "; ");
            put(w, sheet->columns.item[c].name);
            fprintf(w->out, " ");
            put(w, row->cell[c].text ? row->cell[c].text : "-");
        }
}

static void write_values(struct writer *w, const struct sheet_row *row)
{
    struct compare_values values;
    bool many = w->sheet->columns.count > COMPARE_WIDE;
    compare_collect(w->sheet, row, &values);
    for (unsigned i = 0; i < values.list.count; i++) {
        const struct compare_value *value = &values.list.item[i];
        if (i > 0)
            fprintf(w->out, w->markdown ? "; " : many ? "; " : " | ");
        if (!many)
            fprintf(w->out, "%s: ", compare_who(w->sheet, value));
        put(w, value->text);
        if (many) {
            fprintf(w->out, " (");
            put(w, compare_who(w->sheet, value));
            fprintf(w->out, ")");
        }
    }
}

static void write_row(struct writer *w, const struct sheet_row *row)
{
    fprintf(w->out, w->markdown ? "| " : "    ");
    if (w->markdown) {
        put(w, row->group);
        fprintf(w->out, " | ");
        put(w, row->name);
        fprintf(w->out, " | ");
    } else {
        fprintf(w->out, "%-32s ", row->name);
    }
    if (row->section == SHEET_MEASURES && w->sheet->columns.count > COMPARE_WIDE)
        write_span(w, row);
    else
        write_values(w, row);
    fprintf(w->out, w->markdown ? " |\n" : "\n");
}

static void write_section(struct writer *w, enum sheet_section section)
{
    const struct sheet_row *before = NULL;
    for (unsigned i = 0; i < w->sheet->rows.count; i++) {
        const struct sheet_row *row = &w->sheet->rows.item[i];
        if (row->section != section || !compare_shows(row, w->options))
            continue;
        if (!before) {
            heading(w, sheet_section_name[section]);
            fprintf(w->out, w->markdown ? "| of | what | values |\n|---|---|---|\n" : "");
        }
        if (!w->markdown && row->group[0] && (!before || strcmp(before->group, row->group) != 0))
            fprintf(w->out, "  %s\n", row->group);
        write_row(w, row);
        before = row;
    }
}

static void write_all(struct writer *w)
{
    write_columns(w);
    write_fleets(w);
    write_outliers(w);
    write_guests(w);
    for (unsigned section = 0; section < SHEET_SECTIONS; section++)
        write_section(w, (enum sheet_section)section);
}

void compare_text(FILE *out, struct sheet *sheet, const struct compare_options *options)
{
    write_all(&(struct writer){out, sheet, options, false});
}

void compare_markdown(FILE *out, struct sheet *sheet, const struct compare_options *options)
{
    write_all(&(struct writer){out, sheet, options, true});
}
