/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The comparison as one self-contained page: style and script are embedded, plots are SVG. The script filters elements
 * with a section, and sorts the rows.
 */
#include "tools/pmucheck/compare/document.h"
#include "tools/pmucheck/compare/plot.h"
#include "tools/pmucheck/embed.h"
#include <libxml/xmlwriter.h>

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

/* These elements always need an end tag in HTML, even if they are empty. */
static void end(xmlTextWriterPtr xml)
{
    xmlTextWriterFullEndElement(xml);
}

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

static void write_attributes(xmlTextWriterPtr xml, const struct node *node)
{
    if (node->id)
        attribute(xml, "id", node->id);
    if (node->section)
        attribute(xml, "data-section", node->section);
    if (node->differs)
        attribute(xml, "data-differs", "");
    if (node->key)
        attribute(xml, "data-key", node->key);
    if (node->open)
        attribute(xml, "open", "");
}

static void write_nodes(xmlTextWriterPtr xml, const struct document *d, const struct node *first);

static void write_table(xmlTextWriterPtr xml, const struct document *d, const struct node *table)
{
    begin(xml, "div", "box");
    begin(xml, "table", table->class);
    write_attributes(xml, table);
    begin(xml, "thead", NULL);
    begin(xml, "tr", NULL);
    write_nodes(xml, d, table->first->first);
    end(xml);
    end(xml);
    begin(xml, "tbody", NULL);
    write_nodes(xml, d, table->first->next);
    end(xml);
    end(xml);
    end(xml);
}

static void write_element(xmlTextWriterPtr xml, const struct document *d, const struct node *node)
{
    begin(xml, element_of[node->kind],
          node->kind == NODE_CHIP ? arena_print(&d->sheet->arena, "chip %s", node->class) : node->class);
    write_attributes(xml, node);
    if (node->kind == NODE_SECTION)
        begin(xml, "summary", NULL);
    if (node->text)
        text(xml, node->text);
    if (node->kind == NODE_SECTION)
        end(xml);
    write_nodes(xml, d, node->first);
    if (node->row)
        plot_write(xml, d->sheet, node->row);
    if (node->range)
        plot_range(xml, node->range);
    end(xml);
}

static void write_nodes(xmlTextWriterPtr xml, const struct document *d, const struct node *first)
{
    for (const struct node *node = first; node; node = node->next)
        if (node->kind == NODE_TEXT)
            text(xml, node->text);
        else if (node->kind == NODE_CONTROLS)
            xmlTextWriterWriteFormatRaw(xml, page_controls, d->options->all ? " checked" : "");
        else if (node->kind == NODE_TABLE)
            write_table(xml, d, node);
        else
            write_element(xml, d, node);
}

void compare_html(FILE *out, struct sheet *sheet, const struct compare_options *options)
{
    struct document document;
    document_make(&document, sheet, options, &document_page);
    xmlBufferPtr buffer = xmlBufferCreate();
    xmlTextWriterPtr xml = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    if (xml) {
        xmlBufferSetAllocationScheme(buffer, XML_BUFFER_ALLOC_DOUBLEIT);
        write_nodes(xml, &document, document.root->first);
        xmlFreeTextWriter(xml);
        fprintf(out, page_begin, document.root->first->text, page_css);
        fputs((const char *)xmlBufferContent(buffer), out);
        fprintf(out, page_end, page_js);
    }
    xmlBufferFree(buffer);
}
