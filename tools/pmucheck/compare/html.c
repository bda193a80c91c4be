/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The comparison as one self-contained page: style and script are embedded, plots are SVG. The script filters elements
 * with a section, and sorts the rows.
 */
#include "tools/pmucheck/compare/document.h"
#include "tools/pmucheck/compare/plot.h"
#include "tools/pmucheck/embed.h"

EMBED(page_css, "tools/pmucheck/compare/page.css");
EMBED(page_js, "tools/pmucheck/compare/page.js");

/* ---- Before and after the document */

static const char page_begin[] = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                                 "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
                                 "<title>pmucheck: %s</title><style>%s</style></head><body>";
static const char page_end[] = "<script>%s</script></body></html>\n";
/* The script fills the choice of sections. */
static const char page_controls[] =
    "<div class=\"controls\">"
    "<input type=\"search\" id=\"search\" placeholder=\"filter: words that a row must have\">"
    "<select id=\"section\" aria-label=\"section\"><option value=\"\">all sections</option></select>"
    "<label><input type=\"checkbox\" id=\"all\"%s> equal ones too</label>"
    "<span id=\"count\" role=\"status\"></span></div>";

/* ---- The document */

static const char *const element_of[NODE_KINDS] = {
    [NODE_TITLE] = "h1",     [NODE_HEADING] = "h2",      [NODE_CAPTION] = "h3", [NODE_PARAGRAPH] = "p",
    [NODE_LIST] = "ul",      [NODE_ITEM] = "li",         [NODE_LINE] = "div",   [NODE_FOLDS] = "div",
    [NODE_FOLD] = "details", [NODE_SECTION] = "details", [NODE_ROW] = "tr",     [NODE_CARDS] = "div",
    [NODE_CARD] = "div",     [NODE_CELL] = "td",         [NODE_HEAD] = "th",    [NODE_SUMMARY] = "summary",
    [NODE_NAME] = "b",       [NODE_LABEL] = "em",        [NODE_CHIP] = "span",  [NODE_VALUE] = "div",
};

/* The class of a chip is its outcome, severity or verdict. */
static void begin(xmlTextWriterPtr xml, const struct document *d, const char *element, const struct node *node)
{
    const char *class = node->kind == NODE_CHIP ? arena_print(&d->sheet->arena, "chip %s", node->class) : node->class;
    xml_begin(xml, element, "class", class && class[0] ? class : NULL, "id", node->id, "data-section", node->section,
              "data-differs", node->differs ? "" : NULL, "data-key", node->key, "open", node->open ? "" : NULL);
}

static void write_nodes(xmlTextWriterPtr xml, const struct document *d, const struct node *first);

static void write_table(xmlTextWriterPtr xml, const struct document *d, const struct node *table)
{
    xml_begin(xml, "div", "class", "box");
    begin(xml, d, "table", table);
    xml_begin(xml, "thead");
    xml_begin(xml, "tr");
    write_nodes(xml, d, table->first->first);
    xml_end_tag(xml);
    xml_end_tag(xml);
    xml_begin(xml, "tbody");
    write_nodes(xml, d, table->first->next);
    for (unsigned i = 0; i < 3; i++)
        xml_end_tag(xml);
}

static void write_element(xmlTextWriterPtr xml, const struct document *d, const struct node *node)
{
    begin(xml, d, element_of[node->kind], node);
    if (node->kind == NODE_SECTION)
        xml_begin(xml, "summary");
    if (node->text)
        xml_text(xml, node->text);
    if (node->kind == NODE_SECTION)
        xml_end_tag(xml);
    write_nodes(xml, d, node->first);
    if (node->row)
        plot_write(xml, d->sheet, node->row);
    if (node->range)
        plot_range(xml, node->range);
    xml_end_tag(xml);
}

static void write_nodes(xmlTextWriterPtr xml, const struct document *d, const struct node *first)
{
    for (const struct node *node = first; node; node = node->next)
        if (node->kind == NODE_TEXT)
            xml_text(xml, node->text);
        else if (node->kind == NODE_CONTROLS)
            xml_markup(xml, page_controls, d->options->all ? " checked" : "");
        else if (node->kind == NODE_TABLE)
            write_table(xml, d, node);
        else
            write_element(xml, d, node);
}

void compare_html(FILE *out, struct sheet *sheet, const struct compare_options *options)
{
    struct document document;
    document_make(&document, sheet, options, &document_page);
    fprintf(out, page_begin, document.root->first->text, page_css);
    xmlTextWriterPtr xml = xml_open(out, false);
    write_nodes(xml, &document, document.root->first);
    xml_close(xml);
    fprintf(out, page_end, page_js);
}
