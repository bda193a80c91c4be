/* SPDX-License-Identifier: BSD-2-Clause */
/* The comparison for a terminal, or a file of plain text. */
#include "tools/pmucheck/compare/document.h"
#include <ctype.h>
#include <string.h>

struct terminal {
    FILE *out;
    bool colour;
};

/* ---- Parts of a line */

/* The colour for the first word of a class; NULL for most. */
static const char *colour_of(const char *class)
{
    static const char *const colour[][2] = {
        {"fail", "1;31"}, {"error", "1;31"}, {"lost", "1;31"}, {"critical", "1;31"}, {"review", "1;33"},
        {"high", "1;33"}, {"known", "36"},   {"pass", "32"},   {"skip", "2"},        {"low", "2"}};
    size_t length = class ? strcspn(class, " ") : 0;
    for (size_t i = 0; length && i < sizeof(colour) / sizeof(colour[0]); i++)
        if (strlen(colour[i][0]) == length && strncmp(class, colour[i][0], length) == 0)
            return colour[i][1];
    return NULL;
}

static void put(FILE *out, const char *text)
{
    for (; *text; text++)
        fputc(*text == '\n' ? ' ' : *text, out);
}

static void write_words(const struct terminal *t, const struct node *node)
{
    const char *text = node->text ? node->text : "", *colour = t->colour ? colour_of(node->class) : NULL;
    if (colour)
        fprintf(t->out, "\033[%sm", colour);
    put(t->out, text);
    fprintf(t->out, "%*s", strlen(text) < node->width ? (int)(node->width - strlen(text)) : 0, "");
    if (colour)
        fprintf(t->out, "\033[0m");
    const struct node *before = NULL;
    for (const struct node *child = node->first; child; before = child, child = child->next) {
        if (node_is_block(child))
            continue;
        if (before && before->kind == NODE_VALUE)
            fprintf(t->out, " | ");
        write_words(t, child);
    }
}

/* ---- Tables */

/* Writes the row's first cells as a heading, unless the row before has the same. Returns the cell after them. */
static const struct node *write_outline(const struct terminal *t, const struct node *row, const struct node *before,
                                        unsigned outline)
{
    const struct node *cell = row->first, *was = before ? before->first : NULL;
    bool new = false;
    for (unsigned i = 0; i < outline; i++, cell = cell->next, was = was ? was->next : NULL) {
        new = new || !was || strcmp(cell->text, was->text) != 0;
        if (!new || !cell->text[0])
            continue;
        fprintf(t->out, i ? "  " : "\n");
        write_words(t, cell);
        fputc('\n', t->out);
    }
    return cell;
}

/* Heads are written only if columns have a width, so that they align. */
static void write_table(const struct terminal *t, const struct node *table)
{
    const struct node *before = NULL;
    for (const struct node *row = table->first; row; row = row->next) {
        if (row->kind == NODE_HEADS && !row->first->width)
            continue;
        const struct node *cell = write_outline(t, row, before, table->outline);
        fprintf(t->out, table->outline ? "    " : "  ");
        for (; cell; cell = cell->next) {
            write_words(t, cell);
            if (cell->next)
                fputs(cell->gap ? cell->gap : " ", t->out);
        }
        fputc('\n', t->out);
        before = row;
    }
}

/* ---- Blocks */

static void write_heading(const struct terminal *t, const char *text)
{
    fputc('\n', t->out);
    for (; *text; text++)
        fputc(toupper((unsigned char)*text), t->out);
    fputc('\n', t->out);
}

static void write_block(const struct terminal *t, const struct node *node, int depth)
{
    bool line = node->kind == NODE_ITEM || node->kind == NODE_FOLD || node->kind == NODE_LINE;
    if (node->kind >= NODE_CONTROLS)
        return;
    if (node->kind == NODE_TABLE) {
        write_table(t, node);
        return;
    }
    if (node->kind == NODE_HEADING || node->kind == NODE_SECTION)
        write_heading(t, node->text);
    if (node->kind == NODE_PARAGRAPH)
        fputc('\n', t->out);
    if (node->kind == NODE_TITLE || node->kind == NODE_PARAGRAPH || line) {
        fprintf(t->out, "%*s", line ? 2 + 4 * depth : 0, "");
        write_words(t, node);
        fputc('\n', t->out);
    }
    for (const struct node *child = node->first; child; child = child->next)
        write_block(t, child, depth + line);
}

void compare_text(FILE *out, struct sheet *sheet, const struct compare_options *options)
{
    struct document document;
    document_make(&document, sheet, options, &document_text);
    write_block(&(struct terminal){out, options->colour}, document.root, 0);
}
