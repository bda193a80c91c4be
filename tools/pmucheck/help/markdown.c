/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/help/help.h"
#include "tools/text_file.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define INDENTED "    "
#define FENCE "```"

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static size_t line_length(const char *line)
{
    return strcspn(line, "\n");
}

static const char *after_line(const char *line)
{
    line += line_length(line);
    return *line ? line + 1 : line;
}

/* The length of "- " or "12. ", or 0. */
static size_t mark_length(const char *line)
{
    size_t digits = strspn(line, "0123456789");
    if (begins(line, "- "))
        return 2;
    return digits > 0 && digits < 3 && begins(line + digits, ". ") ? digits + 2 : 0;
}

/* Does a paragraph or an item end before this line? */
static bool ends_paragraph(const char *line)
{
    return !*line || *line == '\n' || *line == '#' || *line == '|' || *line == '<' || begins(line, FENCE) ||
           mark_length(line) > 0;
}

/* A copy of a length of text; what cannot be had ends the program, which only prints. */
static char *copy(const char *text, size_t length)
{
    char *copied = strndup(text, length);
    if (!copied)
        abort();
    return copied;
}

/* Joins lines with blanks until a line ends them. `text` is in the first line. */
static char *join(struct markdown *m, const char *text)
{
    char *joined = NULL;
    size_t size;
    FILE *out = text_stream(&joined, &size);
    fwrite(text, 1, line_length(text), out);
    for (m->next = after_line(text); !ends_paragraph(m->next); m->next = after_line(m->next)) {
        const char *word = m->next + strspn(m->next, " ");
        fprintf(out, " %.*s", (int)line_length(word), word);
    }
    fclose(out);
    return joined;
}

static char *fenced(struct markdown *m)
{
    const char *first = after_line(m->next), *end = first;
    while (*end && !begins(end, FENCE))
        end = after_line(end);
    m->next = after_line(end);
    return copy(first, (size_t)(end - first));
}

/* Lines with a margin, and empty lines between them. */
static char *indented(struct markdown *m)
{
    char *lines = NULL;
    size_t size;
    FILE *out = text_stream(&lines, &size);
    for (unsigned empty = 0; begins(m->next, INDENTED) || *m->next == '\n'; m->next = after_line(m->next)) {
        if (*m->next == '\n') {
            empty++;
            continue;
        }
        for (; empty > 0; empty--)
            fputc('\n', out);
        const char *line = m->next + strlen(INDENTED);
        fprintf(out, "%.*s\n", (int)line_length(line), line);
    }
    fclose(out);
    return lines;
}

/* The cells of a row, without the blanks around them. A bar in a cell has a backslash before it. */
static void take_cells(struct markdown_block *b, const char *line)
{
    const char *end = line + line_length(line);
    for (b->cells = 0, line++; line < end && b->cells < MARKDOWN_CELLS; line++) {
        const char *first = line + strspn(line, " "), *last;
        for (line = first; line < end && (*line != '|' || line[-1] == '\\'); line++)
            ;
        for (last = line; last > first && last[-1] == ' '; last--)
            ;
        b->cell[b->cells++] = copy(first, (size_t)(last - first));
    }
    if (b->cells == 0)
        b->cell[b->cells++] = copy("", 0);
}

static void drop(char **texts)
{
    for (unsigned i = 0; i < MARKDOWN_CELLS; i++) {
        free(texts[i]);
        texts[i] = NULL;
    }
}

/* A row; the one before the line of dashes names the columns. */
static void take_row(struct markdown *m)
{
    struct markdown_block *b = &m->block;
    const char *line = m->next;
    m->next = after_line(line);
    take_cells(b, line);
    b->kind = MARKDOWN_ROW;
    if (begins(m->next, "|-")) {
        b->kind = MARKDOWN_COLUMNS;
        m->next = after_line(m->next);
    }
}

static void take_heading(struct markdown *m)
{
    struct markdown_block *b = &m->block;
    const char *line = m->next;
    b->kind = MARKDOWN_HEADING;
    b->level = (unsigned)strspn(line, "#");
    line += b->level + strspn(line + b->level, " ");
    b->text = copy(line, line_length(line));
    m->next = after_line(line);
}

static void take_words(struct markdown *m)
{
    struct markdown_block *b = &m->block;
    size_t mark = mark_length(m->next);
    b->kind = mark ? MARKDOWN_ITEM : MARKDOWN_PARAGRAPH;
    snprintf(b->mark, sizeof(b->mark), "%.*s", mark ? (int)mark - 1 : 0, m->next);
    b->text = join(m, m->next + mark);
}

/* What the last block was is freed; the names of columns are kept as long as their table goes on. */
static void forget(struct markdown *m)
{
    struct markdown_block *b = &m->block;
    free(b->text);
    b->text = NULL;
    if (*m->next != '|') {
        drop(b->columns);
    } else if (b->kind == MARKDOWN_COLUMNS) {
        drop(b->columns);
        memcpy(b->columns, b->cell, sizeof(b->cell));
        memset(b->cell, 0, sizeof(b->cell));
    }
    drop(b->cell);
    b->cells = 0;
}

const struct markdown_block *markdown_next(struct markdown *m)
{
    forget(m);
    while (*m->next == '\n' || *m->next == '<' || begins(m->next, "!["))
        m->next = after_line(m->next);
    if (!*m->next)
        return NULL;
    if (*m->next == '#') {
        take_heading(m);
    } else if (*m->next == '|') {
        take_row(m);
    } else if (begins(m->next, FENCE) || begins(m->next, INDENTED)) {
        m->block.kind = MARKDOWN_CODE;
        m->block.text = begins(m->next, FENCE) ? fenced(m) : indented(m);
    } else {
        take_words(m);
    }
    return &m->block;
}

/* ---- Within a text */

static void put_range(FILE *out, const char *text, size_t length, const struct markdown_style *style);

static void put_as_is(FILE *out, const char *text, size_t length, const struct markdown_style *style)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] != '\\' || i + 1 == length || text[i + 1] != '|') /* a table's escape */
            style->put(out, text[i]);
}

/* Where `mark` stands again; NULL: nowhere, so that the first one means itself. */
static const char *closing(const char *text, const char *end, const char *mark)
{
    for (const char *c = text; c < end; c++)
        if (begins(c, mark) && (size_t)(end - c) >= strlen(mark) && c > text)
            return c;
    return NULL;
}

/* Text between two marks; returns what follows them, or NULL. */
static const char *put_marked(FILE *out, const char *text, const char *end, const char *mark,
                              const char *const around[2], const struct markdown_style *style)
{
    const char *first = text + strlen(mark);
    if (!begins(text, mark) || first >= end || isspace((unsigned char)*first))
        return NULL;
    const char *last = closing(first, end, mark);
    if (!last)
        return NULL;
    fputs(around[0], out);
    (*mark == '`' ? put_as_is : put_range)(out, first, (size_t)(last - first), style);
    fputs(around[1], out);
    return last + strlen(mark);
}

/* The words of "[words](target)". */
static const char *put_link(FILE *out, const char *text, const char *end, const struct markdown_style *style)
{
    if (*text != '[')
        return NULL;
    const char *middle = closing(text, end, "]("), *last = middle ? closing(middle, end, ")") : NULL;
    if (!last)
        return NULL;
    put_range(out, text + 1, (size_t)(middle - text - 1), style);
    char target[256];
    snprintf(target, sizeof(target), "%.*s", (int)(last - middle - 2), middle + 2);
    if (style->link)
        style->link(out, target);
    return last + 1;
}

static void put_range(FILE *out, const char *text, size_t length, const struct markdown_style *style)
{
    for (const char *end = text + length; text < end;) {
        const char *after = put_marked(out, text, end, "`", style->code, style);
        if (!after)
            after = put_marked(out, text, end, "**", style->strong, style);
        if (!after)
            after = put_marked(out, text, end, "*", style->emphasis, style);
        if (!after)
            after = put_link(out, text, end, style);
        if (!after) {
            put_as_is(out, text, text + 1 < end && *text == '\\' && text[1] == '|' ? 2 : 1, style);
            after = text + (text + 1 < end && *text == '\\' && text[1] == '|' ? 2 : 1);
        }
        text = after;
    }
}

void markdown_put(FILE *out, const char *text, const struct markdown_style *style)
{
    put_range(out, text, strlen(text), style);
}

void fill(FILE *out, const char *text, unsigned margin, unsigned width)
{
    unsigned column = 0;
    while (*text) {
        size_t length = strcspn(text, " \n");
        if (column == 0 && *text == '\n') {
            fputc(*text++, out);
            continue;
        }
        if (column == 0 && *text == ' ') {
            length = strcspn(text, "\n");
            fprintf(out, "%*s%.*s\n", margin, "", (int)length, text);
            text += length + (text[length] == '\n');
            continue;
        }
        if (column > 0 && column + 1 + length > width) {
            fputc('\n', out);
            column = 0;
        }
        column += (unsigned)(column == 0 ? (size_t)fprintf(out, "%*s", margin, "") : (size_t)fprintf(out, " "));
        column += (unsigned)fprintf(out, "%.*s", (int)length, text);
        text += length;
        bool ends = strncmp(text, "\n\n", 2) == 0 || strncmp(text, "\n ", 2) == 0;
        if (ends || !*text) {
            fputs(strncmp(text, "\n\n", 2) == 0 ? "\n\n" : "\n", out);
            column = 0;
        }
        text += ends ? 1 + (text[1] == '\n') : *text != 0;
    }
}
