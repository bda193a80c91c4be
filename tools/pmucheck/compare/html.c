/*
 * The comparison as one page that needs nothing else: style and script stand in it, plots are SVG. Up to eight machines
 * have a column each; of more, each value is told once, with who has it.
 */
#include "tools/pmucheck/compare/compare.h"
#include "tools/pmucheck/compare/plot.h"
#include "tools/pmucheck/embed.h"
#include <libxml/xmlwriter.h>
#include <string.h>

#define NAME(text) ((const xmlChar *)(text))

EMBED(page_css, "tools/pmucheck/compare/page.css");
EMBED(page_js, "tools/pmucheck/compare/page.js");

/* ---- Elements */

static void begin(xmlTextWriterPtr xml, const char *name, const char *class)
{
    xmlTextWriterStartElement(xml, NAME(name));
    if (class && class[0])
        xmlTextWriterWriteAttribute(xml, NAME("class"), NAME(class));
}

static void attribute(xmlTextWriterPtr xml, const char *name, const char *value)
{
    xmlTextWriterWriteAttribute(xml, NAME(name), NAME(value));
}

static void text(xmlTextWriterPtr xml, const char *content)
{
    xmlTextWriterWriteString(xml, NAME(content));
}

/* HTML knows no empty elements of these names: the end is always written. */
static void end(xmlTextWriterPtr xml)
{
    xmlTextWriterFullEndElement(xml);
}

static void element(xmlTextWriterPtr xml, const char *name, const char *class, const char *content)
{
    begin(xml, name, class);
    text(xml, content);
    end(xml);
}

static void raw(xmlTextWriterPtr xml, const char *name, const char *content)
{
    begin(xml, name, NULL);
    xmlTextWriterWriteRaw(xml, NAME(content));
    end(xml);
}

/* ---- Parts of the page */

static void write_head(xmlTextWriterPtr xml, const char *title)
{
    begin(xml, "head", NULL);
    begin(xml, "meta", NULL);
    attribute(xml, "charset", "utf-8");
    xmlTextWriterEndElement(xml);
    begin(xml, "meta", NULL);
    attribute(xml, "name", "viewport");
    attribute(xml, "content", "width=device-width,initial-scale=1");
    xmlTextWriterEndElement(xml);
    element(xml, "title", NULL, title);
    raw(xml, "style", page_css);
    end(xml);
}

static void machine_row(xmlTextWriterPtr xml, struct sheet *sheet, unsigned column, const char *key)
{
    begin(xml, "tr", NULL);
    element(xml, "th", NULL, key);
    element(xml, "td", NULL, sheet->columns.item[column].name);
    element(xml, "td", NULL, compare_about(sheet, column));
    end(xml);
}

/* Each machine, or one of each kind with their number. */
static void write_machines(xmlTextWriterPtr xml, struct sheet *sheet)
{
    unsigned told = 0;
    begin(xml, "div", "box");
    begin(xml, "table", NULL);
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        unsigned fleet = sheet->columns.item[c].fleet;
        if (sheet->columns.count <= COMPARE_WIDE)
            machine_row(xml, sheet, c, compare_key(sheet, c));
        else if (fleet > told) {
            unsigned size = compare_fleet_size(sheet, fleet);
            machine_row(xml, sheet, c, size > 1 ? arena_print(&sheet->arena, "%u as", size) : "");
            told = fleet;
        }
    }
    end(xml);
    end(xml);
}

static void write_outlier(xmlTextWriterPtr xml, struct sheet *sheet, unsigned column)
{
    begin(xml, "li", NULL);
    element(xml, "b", NULL, sheet->columns.item[column].name);
    text(xml, arena_print(&sheet->arena, " differs from its equals in %u row%s: ", sheet->columns.item[column].outliers,
                          sheet->columns.item[column].outliers > 1 ? "s" : ""));
    for (unsigned i = 0, told = 0; i < sheet->rows.count && told < 8; i++)
        if (sheet->rows.item[i].cell[column].outlier) {
            const char *value = sheet->rows.item[i].cell[column].text;
            text(xml, arena_print(&sheet->arena, "%s%s: %s", told++ ? "; " : "",
                                  compare_row_name(sheet, &sheet->rows.item[i]), value ? value : "not told"));
        }
    end(xml);
}

static void write_outliers(xmlTextWriterPtr xml, struct sheet *sheet)
{
    unsigned *columns, count = compare_worst(sheet, &columns);
    if (!count)
        return;
    element(xml, "h2", NULL, "Outliers");
    begin(xml, "ol", NULL);
    attribute(xml, "id", "outliers");
    for (unsigned i = 0; i < count; i++)
        write_outlier(xml, sheet, columns[i]);
    end(xml);
}

static void write_guest(xmlTextWriterPtr xml, struct sheet *sheet, unsigned column)
{
    const struct sheet_column *guest = &sheet->columns.item[column];
    begin(xml, "li", NULL);
    text(xml, arena_print(&sheet->arena, "%s (%s) changes what its hardware %s shows:", guest->name,
                          guest->facts.run->pmu, sheet->columns.item[guest->host].name));
    for (unsigned s = SHEET_CAPABILITIES; s < SHEET_SECTIONS; s++)
        text(xml, arena_print(&sheet->arena, "%s %u of %s", s > SHEET_CAPABILITIES ? "," : "",
                              compare_guest(sheet, column, s), sheet_section_name[s]));
    end(xml);
}

static void write_guests(xmlTextWriterPtr xml, struct sheet *sheet)
{
    unsigned count = 0;
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        if (sheet->columns.item[c].host < 0)
            continue;
        if (count++ == 0) {
            element(xml, "h2", NULL, "Guests");
            begin(xml, "ul", NULL);
        }
        write_guest(xml, sheet, c);
    }
    if (count)
        end(xml);
}

static void input(xmlTextWriterPtr xml, const char *type, const char *id, const char *name, const char *value)
{
    begin(xml, "input", NULL);
    attribute(xml, "type", type);
    attribute(xml, "id", id);
    attribute(xml, name, value);
    xmlTextWriterEndElement(xml);
}

static void write_controls(xmlTextWriterPtr xml, const struct compare_options *options)
{
    begin(xml, "div", "controls");
    input(xml, "search", "search", "placeholder", "filter: words that a row must have");
    begin(xml, "select", NULL);
    attribute(xml, "id", "section");
    attribute(xml, "aria-label", "section");
    begin(xml, "option", NULL);
    attribute(xml, "value", "");
    text(xml, "all sections");
    end(xml);
    for (unsigned i = 0; i < SHEET_SECTIONS; i++)
        element(xml, "option", NULL, sheet_section_name[i]);
    end(xml);
    begin(xml, "label", NULL);
    begin(xml, "input", NULL);
    attribute(xml, "type", "checkbox");
    attribute(xml, "id", "all");
    if (options->all)
        attribute(xml, "checked", "");
    xmlTextWriterEndElement(xml);
    text(xml, " equal ones too");
    end(xml);
    begin(xml, "span", NULL);
    attribute(xml, "id", "count");
    attribute(xml, "role", "status");
    end(xml);
    end(xml);
}

/* ---- Rows */

static const char *tone(const struct sheet_cell *cell)
{
    const char *value = cell->text ? cell->text : "";
    if (cell->outlier)
        return "outlier";
    return strncmp(value, "fail", 4) == 0 ? "fail" : strncmp(value, "error", 5) == 0 ? "error" : "";
}

static void write_shared_values(xmlTextWriterPtr xml, struct sheet *sheet, const struct sheet_row *row)
{
    struct compare_values values;
    begin(xml, "td", NULL);
    if (row->section == SHEET_MEASURES) {
        text(xml, arena_print(&sheet->arena, "medians %s", compare_span(sheet, row)));
        for (unsigned c = 0; c < sheet->columns.count; c++)
            if (row->cell[c].outlier)
                element(xml, "div", "outlier",
                        arena_print(&sheet->arena, "%s: %s", sheet->columns.item[c].name,
                                    row->cell[c].text ? row->cell[c].text : "-"));
    } else {
        compare_collect(sheet, row, &values);
        for (unsigned i = 0; i < values.list.count; i++)
            element(xml, "div", values.list.item[i].outlier ? "outlier" : "",
                    arena_print(&sheet->arena, "%s: %s", values.list.item[i].text,
                                compare_who(sheet, &values.list.item[i])));
    }
    end(xml);
}

static void begin_item(xmlTextWriterPtr xml, const char *name, const char *class, const struct sheet_row *row)
{
    begin(xml, name, class);
    attribute(xml, "data-section", sheet_section_name[row->section]);
    if (row->differs)
        attribute(xml, "data-differs", "");
}

static void write_row(xmlTextWriterPtr xml, struct sheet *sheet, const struct sheet_row *row)
{
    begin_item(xml, "tr", NULL, row);
    element(xml, "td", NULL, sheet_section_name[row->section]);
    element(xml, "td", NULL, row->group);
    element(xml, "td", NULL, row->name);
    if (sheet->columns.count > COMPARE_WIDE)
        write_shared_values(xml, sheet, row);
    else
        for (unsigned c = 0; c < sheet->columns.count; c++)
            element(xml, "td", tone(&row->cell[c]), row->cell[c].text ? row->cell[c].text : "-");
    end(xml);
}

static void head_cell(xmlTextWriterPtr xml, const char *name)
{
    begin(xml, "th", NULL);
    attribute(xml, "data-sort", "");
    attribute(xml, "scope", "col");
    text(xml, name);
    end(xml);
}

static bool fits_chapter(const struct sheet_row *row, const struct compare_options *options)
{
    const struct compare_options any = {.chapter = options->chapter, .all = true};
    return compare_shows(row, &any);
}

static void write_rows(xmlTextWriterPtr xml, struct sheet *sheet, const struct compare_options *options)
{
    begin(xml, "div", "box");
    begin(xml, "table", NULL);
    attribute(xml, "id", "rows");
    begin(xml, "thead", NULL);
    begin(xml, "tr", NULL);
    head_cell(xml, "section");
    head_cell(xml, "of");
    head_cell(xml, "what");
    if (sheet->columns.count > COMPARE_WIDE)
        head_cell(xml, "values");
    for (unsigned c = 0; c < sheet->columns.count && sheet->columns.count <= COMPARE_WIDE; c++)
        head_cell(xml, arena_print(&sheet->arena, "%s %s", compare_key(sheet, c), sheet->columns.item[c].name));
    end(xml);
    end(xml);
    begin(xml, "tbody", NULL);
    for (unsigned i = 0; i < sheet->rows.count; i++)
        if (fits_chapter(&sheet->rows.item[i], options) && !sheet_is_range(&sheet->rows.item[i]))
            write_row(xml, sheet, &sheet->rows.item[i]);
    end(xml);
    end(xml);
    end(xml);
}

static void write_plots(xmlTextWriterPtr xml, struct sheet *sheet, const struct compare_options *options)
{
    element(xml, "h2", NULL, "Distributions");
    element(xml, "p", NULL, "Percent of the samples that were at most so large.");
    begin(xml, "div", "cards");
    for (unsigned i = 0; i < sheet->rows.count; i++) {
        const struct sheet_row *row = &sheet->rows.item[i];
        if (!plot_worth(sheet, row) || !fits_chapter(row, options))
            continue;
        begin_item(xml, "div", "card", row);
        element(xml, "h3", NULL, compare_row_name(sheet, row));
        plot_write(xml, sheet, row);
        end(xml);
    }
    end(xml);
}

static void write_body(xmlTextWriterPtr xml, struct sheet *sheet, const struct compare_options *options,
                       const char *title)
{
    begin(xml, "body", NULL);
    element(xml, "h1", NULL, title);
    write_machines(xml, sheet);
    write_outliers(xml, sheet);
    write_guests(xml, sheet);
    element(xml, "h2", NULL, "Rows");
    write_controls(xml, options);
    write_rows(xml, sheet, options);
    write_plots(xml, sheet, options);
    raw(xml, "script", page_js);
    end(xml);
}

void compare_html(FILE *out, struct sheet *sheet, const struct compare_options *options)
{
    xmlBufferPtr buffer = xmlBufferCreate();
    xmlTextWriterPtr xml = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    const char *title = arena_print(&sheet->arena, "pmucheck: %u runs side by side", sheet->columns.count);
    if (xml) {
        xmlBufferSetAllocationScheme(buffer, XML_BUFFER_ALLOC_DOUBLEIT);
        xmlTextWriterWriteRaw(xml, NAME("<!DOCTYPE html>\n"));
        begin(xml, "html", NULL);
        attribute(xml, "lang", "en");
        write_head(xml, title);
        write_body(xml, sheet, options, title);
        end(xml);
        xmlTextWriterEndDocument(xml);
        xmlFreeTextWriter(xml);
        fputs((const char *)xmlBufferContent(buffer), out);
    }
    xmlBufferFree(buffer);
}
