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
#define MODELS_MOST 100
#define FINDINGS_MOST 200
#define OUTLIERS_MOST 50
#define VALUES_MOST 24 /* of one row */
#define CAUSE_ROWS 40

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

/* ---- First screen: who came out how */

static const char *verdict_class(enum sheet_verdict verdict)
{
    static const char *const class[SHEET_VERDICTS] = {"fail", "error", "review", "error", "skip", "pass"};
    return class[verdict];
}

static const char *outcome_class(enum overview_outcome outcome)
{
    static const char *const class[OVERVIEW_OUTCOMES + 1] = {"fail",  "error", "review", "error",
                                                             "known", "pass",  "skip",   "none"};
    return class[outcome];
}

static const char *plural(unsigned count)
{
    return count == 1 ? "" : "s";
}

static void chip(xmlTextWriterPtr xml, const char *class, const char *content)
{
    begin(xml, "span", class);
    text(xml, content);
    end(xml);
    text(xml, " ");
}

static void write_chips(xmlTextWriterPtr xml, struct sheet *sheet, const unsigned verdict[SHEET_VERDICTS])
{
    for (unsigned v = 0; v < SHEET_VERDICTS; v++)
        if (verdict[v])
            chip(xml, arena_print(&sheet->arena, "chip %s", verdict_class((enum sheet_verdict)v)),
                 arena_print(&sheet->arena, "%u %s", verdict[v], sheet_verdict_name[v]));
}

/* Who did not pass, by name. */
static void write_names(xmlTextWriterPtr xml, struct sheet *sheet, unsigned model)
{
    LIST(unsigned) list = {0};
    for (unsigned i = 0; i < sheet->machines.count; i++)
        if (sheet->machines.item[i].model == model && sheet->machines.item[i].verdict != SHEET_PASS)
            *LIST_ADD(&sheet->arena, &list) = i;
    if (list.count && sheet->models.item[model].machines > 1)
        element(xml, "small", NULL, overview_names(sheet, list.item, list.count));
}

/* A chapter that is well on all models: a phone has no room for it. */
static bool is_calm(const struct sheet *sheet, const struct overview *overview, unsigned chapter)
{
    for (unsigned m = 0; m < sheet->models.count; m++)
        for (int outcome = OVERVIEW_FAIL; outcome <= OVERVIEW_LOST; outcome++)
            if (overview_count(overview, m, chapter, (enum overview_outcome)outcome))
                return false;
    return true;
}

static void write_cell(xmlTextWriterPtr xml, struct sheet *sheet, const struct overview *overview, unsigned model,
                       unsigned chapter)
{
    unsigned machines = sheet->models.item[model].machines, count = 0, outcome = 0;
    for (; outcome < OVERVIEW_OUTCOMES && !count; outcome++)
        count = overview_count(overview, model, chapter, (enum overview_outcome)outcome);
    if (!count) {
        element(xml, "td", is_calm(sheet, overview, chapter) ? "none calm" : "none", "");
        return;
    }
    const char *word = overview_outcome_name[--outcome];
    begin(xml, "td",
          arena_print(&sheet->arena, "%s%s", outcome_class((enum overview_outcome)outcome),
                      is_calm(sheet, overview, chapter) ? " calm" : ""));
    text(xml, count == machines ? word : arena_print(&sheet->arena, "%u %s", count, word));
    end(xml);
}

static void write_matrix(xmlTextWriterPtr xml, struct sheet *sheet, const struct overview *overview)
{
    unsigned calm = 0;
    begin(xml, "div", "box");
    begin(xml, "table", "matrix");
    begin(xml, "thead", NULL);
    begin(xml, "tr", NULL);
    element(xml, "th", NULL, "model");
    element(xml, "th", NULL, "machines");
    for (unsigned c = 0; c < overview->chapters.count; c++) {
        bool is = is_calm(sheet, overview, c);
        element(xml, "th", is ? "chapter calm" : "chapter", overview->chapters.item[c]);
        calm += is;
    }
    end(xml);
    end(xml);
    begin(xml, "tbody", NULL);
    for (unsigned n = 0; n < sheet->models.count && n < MODELS_MOST; n++) {
        unsigned m = overview->order[n];
        begin(xml, "tr", NULL);
        begin(xml, "th", NULL);
        attribute(xml, "scope", "row");
        element(xml, "b", NULL, sheet->machines.item[sheet->models.item[m].first].name);
        if (sheet->models.item[m].machines > 1)
            text(xml, arena_print(&sheet->arena, " and %u like it", sheet->models.item[m].machines - 1));
        element(xml, "small", NULL, overview_model(sheet, m));
        end(xml);
        begin(xml, "td", "verdicts");
        write_chips(xml, sheet, sheet->models.item[m].verdict);
        write_names(xml, sheet, m);
        end(xml);
        for (unsigned c = 0; c < overview->chapters.count; c++)
            write_cell(xml, sheet, overview, m, c);
        end(xml);
    }
    end(xml);
    end(xml);
    end(xml);
    if (calm)
        element(xml, "p", "calm-note", arena_print(&sheet->arena, "In %u other chapters nothing failed.", calm));
    if (sheet->models.count > MODELS_MOST)
        element(xml, "p", NULL, arena_print(&sheet->arena, "And %u models more.", sheet->models.count - MODELS_MOST));
}

static void machine_row(xmlTextWriterPtr xml, struct sheet *sheet, unsigned column, const char *key)
{
    begin(xml, "tr", NULL);
    element(xml, "th", NULL, key);
    element(xml, "td", NULL, sheet->columns.item[column].name);
    element(xml, "td", NULL, compare_about(sheet, sheet->columns.item[column].machine));
    end(xml);
}

/* The letters by which the columns are called, where there are few. */
static void write_columns(xmlTextWriterPtr xml, struct sheet *sheet)
{
    if (sheet->columns.count > COMPARE_WIDE)
        return;
    begin(xml, "div", "box");
    begin(xml, "table", NULL);
    for (unsigned c = 0; c < sheet->columns.count; c++)
        machine_row(xml, sheet, c, compare_key(sheet, c));
    end(xml);
    end(xml);
}

static void write_doubts(xmlTextWriterPtr xml, struct sheet *sheet)
{
    if (!sheet->doubts.count)
        return;
    element(xml, "h2", NULL, "Logs that are not whole");
    begin(xml, "ul", NULL);
    for (unsigned i = 0; i < sheet->doubts.count; i++) {
        const struct sheet_doubt *doubt = &sheet->doubts.item[i];
        begin(xml, "li", doubt->unusable ? "error" : NULL);
        text(xml, arena_print(&sheet->arena, "%s: %s%s", doubt->path,
                              doubt->unusable ? "nothing can be compared of it: " : "", doubt->problem));
        end(xml);
    }
    end(xml);
}

static void write_otherwise(xmlTextWriterPtr xml, struct sheet *sheet)
{
    unsigned count = 0;
    for (unsigned i = 0; i < sheet->machines.count; i++) {
        const struct sheet_machine *machine = &sheet->machines.item[i];
        if (!machine->otherwise)
            continue;
        if (count++ == 0) {
            element(xml, "h2", NULL, "Tested otherwise: measurements are not compared with the others'");
            begin(xml, "ul", NULL);
        }
        const char *conditions = sheet_text_of(sheet, machine->conditions);
        element(xml, "li", NULL,
                arena_print(&sheet->arena, "%s: %s", machine->name, conditions[0] ? conditions : "no budget is told"));
    }
    if (count)
        end(xml);
}

/* ---- What did not pass */

/* What the filter looks at, as a row. */
static void begin_told(xmlTextWriterPtr xml, const char *name, const char *class, const char *section)
{
    begin(xml, name, class);
    attribute(xml, "data-section", section);
    attribute(xml, "data-differs", "");
}

static void paragraph(xmlTextWriterPtr xml, const char *label, const char *content)
{
    if (!content[0])
        return;
    begin(xml, "div", NULL);
    element(xml, "em", NULL, label);
    text(xml, content);
    end(xml);
}

static void write_finding(xmlTextWriterPtr xml, struct sheet *sheet, const struct overview_finding *f)
{
    begin_told(xml, "li", "told", sheet_section_name[SHEET_RESULTS]);
    chip(xml, arena_print(&sheet->arena, "chip %s", outcome_class(f->outcome)), overview_outcome_name[f->outcome]);
    chip(xml, arena_print(&sheet->arena, "chip %s", severity_name[f->severity]), severity_name[f->severity]);
    element(xml, "b", NULL, f->test);
    text(xml, f->label[0] ? arena_print(&sheet->arena, " [%s]", f->label) : "");
    text(xml, arena_print(&sheet->arena, " on %u of %u machine%s: %s", f->machines.count, sheet->machines.count,
                          plural(sheet->machines.count), overview_names(sheet, f->machines.item, f->machines.count)));
    paragraph(xml, "", f->title);
    paragraph(xml, "", f->detail);
    paragraph(xml, "also: ", f->others);
    paragraph(xml, "Equals: ", f->equals);
    paragraph(xml, "Why it matters: ", f->why);
    paragraph(xml, "See: ", f->spec);
    paragraph(xml, "What to do: ", f->what_to_do);
    end(xml);
}

static void write_findings(xmlTextWriterPtr xml, struct sheet *sheet, const struct overview *overview)
{
    if (!overview->findings.count)
        return;
    element(xml, "h2", NULL, "What did not pass");
    begin(xml, "ul", "findings");
    for (unsigned i = 0; i < overview->findings.count && i < FINDINGS_MOST; i++)
        write_finding(xml, sheet, &overview->findings.item[i]);
    end(xml);
    if (overview->findings.count > FINDINGS_MOST)
        element(xml, "p", NULL, arena_print(&sheet->arena, "And %u more.", overview->findings.count - FINDINGS_MOST));
}

static void write_outlier(xmlTextWriterPtr xml, struct sheet *sheet, unsigned column)
{
    begin(xml, "li", NULL);
    element(xml, "b", NULL, sheet->columns.item[column].name);
    text(xml, arena_print(&sheet->arena, " differs from its equals in %u row%s: ", sheet->columns.item[column].outliers,
                          sheet->columns.item[column].outliers > 1 ? "s" : ""));
    char room[SHEET_ROOM];
    const struct sheet_row **rows;
    unsigned count = compare_outlier_rows(sheet, column, &rows);
    for (unsigned i = 0; i < count && i < 8; i++) {
        const char *value = sheet_value(sheet, rows[i], column, room);
        text(xml, arena_print(&sheet->arena, "%s%s: %s", i ? "; " : "", compare_row_name(&sheet->arena, rows[i]),
                              value ? value : "not told"));
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
    for (unsigned i = 0; i < count && i < OUTLIERS_MOST; i++)
        write_outlier(xml, sheet, columns[i]);
    end(xml);
    if (count > OUTLIERS_MOST)
        element(xml, "p", NULL, arena_print(&sheet->arena, "And %u more.", count - OUTLIERS_MOST));
}

static void write_guest(xmlTextWriterPtr xml, struct sheet *sheet, unsigned column)
{
    const struct sheet_column *guest = &sheet->columns.item[column];
    begin(xml, "li", NULL);
    text(xml, arena_print(&sheet->arena, "%s (%s) changes what its hardware %s shows:", guest->name,
                          sheet->machines.item[guest->machine].pmu, sheet->columns.item[guest->host].name));
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

static const char *tone(const char *value, bool outlier)
{
    if (outlier)
        return "outlier";
    return strncmp(value, "fail", 4) == 0 ? "bad" : strncmp(value, "error", 5) == 0 ? "bad" : "";
}

static void write_medians(xmlTextWriterPtr xml, struct arena *arena, struct sheet *sheet, const struct sheet_row *row)
{
    char room[SHEET_ROOM];
    text(xml, arena_print(arena, "medians %s", compare_span(arena, sheet, row)));
    for (unsigned i = 0; i < row->outliers.count && i < VALUES_MOST; i++) {
        const char *value = sheet_value(sheet, row, row->outliers.item[i], room);
        element(xml, "div", "outlier",
                arena_print(arena, "%s: %s", sheet->columns.item[row->outliers.item[i]].name, value ? value : "-"));
    }
    if (row->outliers.count > VALUES_MOST)
        element(xml, "div", "outlier", arena_print(arena, "and %u more", row->outliers.count - VALUES_MOST));
}

static void write_values(xmlTextWriterPtr xml, struct arena *arena, struct sheet *sheet, const struct sheet_row *row)
{
    struct compare_values values;
    compare_collect(arena, sheet, row, &values);
    for (unsigned i = 0; i < values.list.count && i < VALUES_MOST; i++)
        element(
            xml, "div", values.list.item[i].outlier ? "outlier" : "",
            arena_print(arena, "%s: %s", values.list.item[i].text, compare_who(arena, sheet, &values.list.item[i])));
    if (values.list.count > VALUES_MOST)
        element(xml, "div", "", arena_print(arena, "and %u other values", values.list.count - VALUES_MOST));
}

static void write_shared_values(xmlTextWriterPtr xml, struct sheet *sheet, const struct sheet_row *row)
{
    struct arena arena = {0};
    begin(xml, "td", NULL);
    if (row->section == SHEET_MEASURES)
        write_medians(xml, &arena, sheet, row);
    else
        write_values(xml, &arena, sheet, row);
    end(xml);
    arena_free(&arena);
}

static void begin_item(xmlTextWriterPtr xml, const char *name, const char *class, const struct sheet_row *row)
{
    begin(xml, name, class);
    attribute(xml, "data-section", sheet_section_name[row->section]);
    if (row->differs)
        attribute(xml, "data-differs", "");
}

/* A phone shows values below each other, each with its column's key. */
static void write_own_value(xmlTextWriterPtr xml, struct sheet *sheet, const struct sheet_row *row, unsigned column)
{
    char room[SHEET_ROOM];
    const char *value = sheet_value(sheet, row, column, room);
    value = value ? value : "-";
    begin(xml, "td", tone(value, sheet_outlier(row, column)));
    attribute(xml, "data-key", compare_key(sheet, column));
    text(xml, value);
    end(xml);
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
            write_own_value(xml, sheet, row, c);
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
        element(xml, "h3", NULL, compare_row_name(&sheet->arena, row));
        plot_write(xml, sheet, row);
        end(xml);
    }
    end(xml);
}

/* ---- Differences by cause */

static void write_cause(xmlTextWriterPtr xml, struct sheet *sheet, const struct overview_cause *cause)
{
    const struct sheet_row *first = &sheet->rows.item[cause->rows.item[0]];
    begin_told(xml, "details", "told", sheet_section_name[first->section]);
    if (cause->class == OVERVIEW_MATTERS && cause->rows.count <= 8)
        attribute(xml, "open", "");
    begin(xml, "summary", NULL);
    element(xml, "b", NULL, cause->text);
    text(xml, arena_print(&sheet->arena, ": %u row%s", cause->rows.count, plural(cause->rows.count)));
    text(xml, overview_about(sheet, cause));
    end(xml);
    if (cause->class == OVERVIEW_MATTERS) {
        paragraph(xml, "Why it matters: ", cause->why);
        paragraph(xml, "See: ", cause->spec);
        paragraph(xml, "What to do: ", cause->what_to_do);
    }
    begin(xml, "ul", NULL);
    for (unsigned i = 0; i < cause->rows.count && i < CAUSE_ROWS; i++) {
        struct arena arena = {0};
        const struct sheet_row *row = &sheet->rows.item[cause->rows.item[i]];
        begin(xml, "li", NULL);
        element(xml, "b", NULL, compare_row_name(&arena, row));
        if (row->section == SHEET_MEASURES)
            write_medians(xml, &arena, sheet, row);
        else
            write_values(xml, &arena, sheet, row);
        end(xml);
        arena_free(&arena);
    }
    end(xml);
    if (cause->rows.count > CAUSE_ROWS)
        element(xml, "p", NULL, arena_print(&sheet->arena, "And %u more.", cause->rows.count - CAUSE_ROWS));
    end(xml);
}

static void write_causes(xmlTextWriterPtr xml, struct sheet *sheet, const struct overview *overview)
{
    static const char *const title[OVERVIEW_CLASSES] = {"Differences that matter",
                                                        "Differences between models, as expected", "Noise"};
    int class = -1;
    for (unsigned i = 0; i < overview->causes.count; i++) {
        const struct overview_cause *cause = &overview->causes.item[i];
        if ((int)cause->class != class)
            element(xml, "h2", NULL, title[cause->class]);
        class = (int)cause->class;
        write_cause(xml, sheet, cause);
    }
}

static void write_none(xmlTextWriterPtr xml, const struct sheet *sheet)
{
    for (unsigned i = 0; i < sheet->rows.count; i++)
        if (sheet->rows.item[i].differs)
            return;
    element(xml, "p", NULL, "Nothing differs.");
}

static void write_body(xmlTextWriterPtr xml, struct sheet *sheet, const struct compare_options *options,
                       const char *title)
{
    struct overview overview;
    overview_make(&overview, sheet);
    begin(xml, "body", NULL);
    element(xml, "h1", NULL, title);
    begin(xml, "p", NULL);
    write_chips(xml, sheet, overview.verdict);
    end(xml);
    write_controls(xml, options);
    write_columns(xml, sheet);
    write_doubts(xml, sheet);
    write_matrix(xml, sheet, &overview);
    write_findings(xml, sheet, &overview);
    write_otherwise(xml, sheet);
    write_outliers(xml, sheet);
    write_guests(xml, sheet);
    write_causes(xml, sheet, &overview);
    write_none(xml, sheet);
    begin(xml, "details", "all-rows");
    if (sheet->columns.count <= COMPARE_WIDE || options->all || options->chapter)
        attribute(xml, "open", "");
    begin(xml, "summary", NULL);
    element(xml, "b", NULL, "Rows, one by one");
    end(xml);
    write_rows(xml, sheet, options);
    write_plots(xml, sheet, options);
    end(xml);
    raw(xml, "script", page_js);
    end(xml);
}

void compare_html(FILE *out, struct sheet *sheet, const struct compare_options *options)
{
    xmlBufferPtr buffer = xmlBufferCreate();
    xmlTextWriterPtr xml = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    const char *title = arena_print(&sheet->arena, "pmucheck: %u machine%s, %u model%s", sheet->machines.count,
                                    plural(sheet->machines.count), sheet->models.count, plural(sheet->models.count));
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
