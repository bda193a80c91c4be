/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A matrix as one HTML file that needs nothing else: the head row and the first column stay while the rest scrolls, the
 * columns' names are upright, and each cell has a letter besides its colour. Hidden defects are a table of words
 * instead.
 */
#include "reference/proof/grid.h"
#include "tools/put.h"
#include <string.h>

static const char style[] =
    "body{font:14px/1.4 system-ui,sans-serif;margin:1em;color:#111;background:#fff}"
    ".box{overflow:auto;max-height:85vh;border:1px solid #888}"
    "table{border-collapse:separate;border-spacing:0;font:12px/1.3 ui-monospace,monospace}"
    "th,td{border-right:1px solid #ddd;border-bottom:1px solid #ddd;padding:1px 3px;text-align:center}"
    "thead th{position:sticky;top:0;background:#f4f4f4;z-index:2;vertical-align:bottom;font-weight:normal}"
    "thead th span{display:inline-block;writing-mode:vertical-rl;transform:rotate(180deg);white-space:nowrap}"
    "tbody th{position:sticky;left:0;background:#f4f4f4;z-index:1;text-align:left;white-space:nowrap;"
    "font-weight:normal;max-width:60vw;overflow:hidden;text-overflow:ellipsis}"
    "thead th:first-child{left:0;z-index:3}"
    "tfoot th,tfoot td{position:sticky;bottom:0;background:#f4f4f4;z-index:1}tfoot th{left:0;z-index:3}"
    ".fail{background:#c8321e;color:#fff;font-weight:bold}.review{background:#f0b400}.known{background:#8fb8e8}"
    ".pass{background:#d8efd8}.measured{background:#c4e4e4}.skip{background:#eee;color:#555}"
    ".error{background:#8a4fa8;color:#fff}.bad{background:#c8321e;color:#fff;font-weight:bold}"
    ".words td,.words th{text-align:left;vertical-align:top;padding:2px 8px;white-space:normal}"
    "dt{float:left;clear:left;width:1.6em;text-align:center;margin-right:.5em;"
    "font-family:ui-monospace,monospace}dd{margin-left:2.2em}li{overflow-wrap:anywhere}"
    "@media print{body{margin:0;font-size:8px}.box{max-height:none;overflow:visible;border:0}"
    "table{font-size:5px}table.words{font-size:8px}th,td{padding:0 1px}"
    "thead th,tbody th,tfoot th,tfoot td{position:static}"
    "thead{display:table-header-group}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}";

static const char *word_of(const struct grid *grid, char letter)
{
    for (const struct grid_letter *l = grid_letters(grid->kind); l->letter; l++)
        if (l->letter == letter)
            return l->word;
    return "unknown";
}

static void write_head(const struct grid *grid, FILE *file)
{
    fputs("<thead><tr><th scope=\"col\">", file);
    fputs(grid->kind == GRID_DEFECTS ? "test/label" : "test", file);
    fputs("</th>", file);
    for (unsigned i = 0; i < grid->columns; i++) {
        fprintf(file, "<th scope=\"col\"%s><span>", grid->column[i].bad ? " class=\"bad\"" : "");
        put_markup(file, grid->column[i].name);
        fputs("</span></th>", file);
    }
    fputs("<th scope=\"col\">total</th></tr></thead>\n", file);
}

static void write_cell(const struct grid *grid, FILE *file, unsigned row, unsigned column)
{
    char letter[2] = {grid->cell[row][column], 0};
    if (!letter[0]) {
        fputs("<td></td>", file);
        return;
    }
    fprintf(file, "<td class=\"%s\" title=\"", word_of(grid, letter[0]));
    put_markup(file, grid->row[row].test);
    fputs(grid->row[row].label[0] ? "/" : "", file);
    put_markup(file, grid->row[row].label);
    fputs(": ", file);
    put_markup(file, grid->column[column].name);
    fputs("\">", file);
    put_markup(file, letter);
    fputs("</td>", file);
}

static void write_row(const struct grid *grid, FILE *file, unsigned row)
{
    fprintf(file, "<tr><th scope=\"row\"%s>", grid_unproven(grid, row) ? " class=\"bad\"" : "");
    put_markup(file, grid->row[row].test);
    fputs(grid->row[row].label[0] ? "/" : "", file);
    put_markup(file, grid->row[row].label);
    fputs("</th>", file);
    for (unsigned i = 0; i < grid->columns; i++)
        write_cell(grid, file, row, i);
    fprintf(file, "<td>%u%s</td></tr>\n", grid_row_total(grid, row), grid_unproven(grid, row) ? " unproven" : "");
}

static void write_totals(const struct grid *grid, FILE *file)
{
    fputs("<tfoot><tr><th scope=\"row\">total</th>", file);
    for (unsigned i = 0; i < grid->columns; i++)
        fprintf(file, "<td>%u</td>", grid_column_total(grid, i));
    fputs("<td></td></tr></tfoot>\n", file);
}

static void write_legend(const struct grid *grid, FILE *file)
{
    fputs("<dl>", file);
    for (const struct grid_letter *l = grid_letters(grid->kind); l->letter; l++)
        fprintf(file, "<dt class=\"%s\">%c</dt><dd>%s: %s</dd>", l->word, l->letter, l->word, l->meaning);
    fputs("</dl>\n", file);
}

static void write_matrix(const struct grid *grid, FILE *file)
{
    write_legend(grid, file);
    fputs("<div class=\"box\" tabindex=\"0\"><table>\n", file);
    write_head(grid, file);
    fputs("<tbody>\n", file);
    for (unsigned i = 0; i < grid->rows; i++)
        write_row(grid, file, i);
    fputs("</tbody>\n", file);
    write_totals(grid, file);
    fputs("</table></div>\n", file);
}

/* A line in the table may break after each comma. */
static void write_element(FILE *file, const char *tag, const char *attribute, const char *text)
{
    fprintf(file, "<%s%s>", tag, attribute);
    for (; *text; text++) {
        put_markup(file, (const char[]){*text, 0});
        fputs(*text == ',' ? "<wbr>" : "", file);
    }
    fprintf(file, "</%s>", tag);
}

static void write_hidden_row(const struct grid_hidden *hidden, FILE *file)
{
    fputs("<tr>", file);
    write_element(file, "th", " scope=\"row\"", hidden->field[GRID_DEFECT]);
    for (unsigned i = GRID_PROFILE; i < GRID_REASON; i++)
        write_element(file, "td", "", hidden->field[i]);
    write_element(file, "td", grid_groundless(hidden) ? " class=\"bad\"" : "", hidden->field[GRID_REASON]);
    fputs("</tr>\n", file);
}

static void write_hidden(const struct grid *grid, FILE *file)
{
    if (!grid->hiddens) {
        fprintf(file, "<p>No defect %s.</p>\n", grid->columns ? "is known alone" : "was asked for");
        return;
    }
    fputs("<p>Each is known there by these errata, in these tests, and noticed by no test as anything else. That is\n"
          "right where it mimics all of these errata, or for the reason beside it.</p>\n"
          "<div class=\"box\" tabindex=\"0\"><table class=\"words\">\n<thead><tr>",
          file);
    for (unsigned i = 0; i < GRID_FIELDS; i++)
        write_element(file, "th", " scope=\"col\"", grid_heads[i]);
    fputs("</tr></thead>\n<tbody>\n", file);
    for (unsigned i = 0; i < grid->hiddens; i++)
        write_hidden_row(&grid->hidden[i], file);
    fputs("</tbody></table></div>\n", file);
}

static void write_results(const struct grid *grid, FILE *file)
{
    fputs("<h2>Results</h2>\n<ul>\n", file);
    for (unsigned i = 0; i < grid->columns; i++) {
        fputs(grid->column[i].bad ? "<li><b class=\"bad\">not ok</b> " : "<li>ok ", file);
        put_markup(file, grid->column[i].name);
        fputs(grid->column[i].result[0] ? ": " : "", file);
        put_markup(file, grid->column[i].result);
        fputs("</li>\n", file);
    }
    for (unsigned i = 0; i < grid->notes; i++) {
        fputs("<li>", file);
        put_markup(file, grid->note[i]);
        fputs("</li>\n", file);
    }
    fputs("</ul>\n", file);
}

void grid_write_html(const struct grid *grid, FILE *file)
{
    static const char *const titles[] = {"Which check fails under which defect",
                                         "How each test comes out under each legal variation",
                                         "Which defects published errata hide"};
    const char *title = titles[grid->kind];
    char origin[2 * GRID_LINE], summary[GRID_LINE];
    grid_origin(grid, origin, sizeof(origin));
    grid_summary(grid, summary, sizeof(summary));
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>pmucheck: ",
          file);
    fprintf(file, "%s</title>\n<style>%s</style></head>\n<body><h1>%s</h1>\n<p>", title, style, title);
    put_markup(file, summary);
    fputs(".</p>\n<p>", file);
    put_markup(file, origin);
    fputs("</p>\n", file);
    (grid->kind == GRID_HIDDEN ? write_hidden : write_matrix)(grid, file);
    write_results(grid, file);
    fputs("</body></html>\n", file);
}
