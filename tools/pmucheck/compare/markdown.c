/* SPDX-License-Identifier: BSD-2-Clause */
/* The comparison as Markdown. */
#include "tools/pmucheck/compare/document.h"
#include <string.h>

static void put(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("|*_`<>[]\\#", *text))
            fputc('\\', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
}

static void write_words(FILE *out, const struct node *node)
{
    const struct node *before = NULL;
    fprintf(out, node->kind == NODE_NAME ? "**" : "");
    put(out, node->text ? node->text : "");
    fprintf(out, node->kind == NODE_NAME ? "**" : "");
    for (const struct node *child = node->first; child; before = child, child = child->next) {
        if (node_is_block(child))
            continue;
        fprintf(out, before && before->kind == NODE_VALUE ? "; " : "");
        write_words(out, child);
    }
}

static void write_table(FILE *out, const struct node *table)
{
    fputc('\n', out);
    for (const struct node *row = table->first; row; row = row->next) {
        for (const struct node *cell = row->first; cell; cell = cell->next) {
            fprintf(out, "| ");
            write_words(out, cell);
            fprintf(out, cell->next ? " " : " |\n");
        }
        for (const struct node *cell = row->first; cell && row->kind == NODE_HEADS; cell = cell->next)
            fprintf(out, cell->next ? "|---" : "|---|\n");
    }
}

/* The text that begins a block of this kind; NULL if the block has no line of its own. */
static const char *mark_of(const struct node *node)
{
    switch (node->kind) {
    case NODE_TITLE:
        return "# ";
    case NODE_HEADING:
    case NODE_SECTION:
        return "\n## ";
    case NODE_PARAGRAPH:
        return "\n";
    case NODE_ITEM:
    case NODE_FOLD:
    case NODE_LINE:
        return "- ";
    default:
        return NULL;
    }
}

static void write_block(FILE *out, const struct node *node, int depth)
{
    const char *mark = mark_of(node);
    if (node->kind >= NODE_CONTROLS)
        return;
    if (node->kind == NODE_TABLE) {
        write_table(out, node);
        return;
    }
    if (depth == 0 && (node->kind == NODE_LIST || node->kind == NODE_FOLDS))
        fputc('\n', out);
    if (mark) {
        fprintf(out, "%*s%s", 2 * depth, "", mark);
        write_words(out, node);
        fputc('\n', out);
    }
    for (const struct node *child = node->first; child; child = child->next)
        write_block(out, child, depth + (mark && mark[0] == '-'));
}

void compare_markdown(FILE *out, struct sheet *sheet, const struct compare_options *options)
{
    struct document document;
    document_make(&document, sheet, options, &document_text);
    write_block(out, document.root, 0);
}
