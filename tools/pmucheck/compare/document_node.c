/* SPDX-License-Identifier: BSD-2-Clause */
/* Nodes of the tree. */
#include "tools/pmucheck/compare/document.h"

struct node *node_add(struct document *d, struct node *parent, enum node_kind kind, const char *text)
{
    struct node *node = arena_alloc(&d->sheet->arena, sizeof(*node));
    node->kind = kind;
    node->text = text;
    if (parent && parent->last)
        parent->last->next = node;
    else if (parent)
        parent->first = node;
    if (parent)
        parent->last = node;
    return node;
}

struct node *node_print(struct document *d, struct node *parent, enum node_kind kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct node *node = node_add(d, parent, kind, arena_vprint(&d->sheet->arena, format, args));
    va_end(args);
    return node;
}

struct node *node_list(struct document *d, struct node *list, enum node_kind kind, const char *heading)
{
    if (list)
        return list;
    node_add(d, d->root, NODE_HEADING, heading);
    return node_add(d, d->root, kind, NULL);
}

struct node *node_beside(struct document *d, const char *heading, const char *class, const char *corner)
{
    struct node *beside = node_list(d, NULL, d->size->page ? NODE_TABLE : NODE_LIST, heading);
    beside->class = class;
    if (d->size->page)
        node_add(d, node_add(d, beside, NODE_HEADS, NULL), NODE_HEAD, corner);
    return beside;
}

void node_column(struct document *d, struct node *beside, const char *head)
{
    if (d->size->page)
        node_add(d, beside->first, NODE_HEAD, head);
}

struct node *node_beside_row(struct document *d, struct node *beside, const char *name)
{
    struct node *row = node_add(d, beside, d->size->page ? NODE_ROW : NODE_ITEM, NULL);
    node_add(d, row, d->size->page ? NODE_HEAD : NODE_NAME, name);
    return row;
}

struct node *node_told(struct document *d, struct node *parent, enum node_kind kind, enum sheet_section section)
{
    struct node *node = node_add(d, parent, kind, NULL);
    node->class = "told";
    node->section = sheet_section_name[section];
    node->differs = true;
    return node;
}

void node_more(struct document *d, struct node *list, unsigned count, unsigned most)
{
    if (count > most)
        node_print(d, list, NODE_ITEM, "and %u more", count - most);
}

void node_line(struct document *d, struct node *item, const char *label, const char *text)
{
    if (!text[0])
        return;
    struct node *line = node_add(d, item, NODE_LINE, NULL);
    node_add(d, line, NODE_LABEL, label);
    node_add(d, line, NODE_TEXT, text);
}
