/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/embed.h"
#include "tools/pmucheck/help/help.h"
#include "tools/text_file.h"
#include <stdlib.h>
#include <string.h>

EMBED(page_readme, "README.md");
EMBED(page_first_boot, "docs/first-boot.md");
EMBED(page_hypervisors, "docs/hypervisors.md");
EMBED(page_lab, "docs/lab.md");
EMBED(page_log, "docs/log.md");
EMBED(page_options, "docs/options.md");
EMBED(page_tests, "docs/tests.md");

const struct guide guides[] = {
    {"options", "the image's options", 7, "options.md", {{page_options, NULL}}},
    {"log",
     "the lines of a log, and what each outcome means",
     5,
     "log.md",
     {{page_readme, "## Reading the log\n"}, {page_log, NULL}}},
    {"first-boot",
     "what a machine shows while it starts the image, and what to do where it hangs",
     7,
     "first-boot.md",
     {{page_first_boot, NULL}}},
    {"lab", "testing machines in a lab", 7, "lab.md", {{page_lab, NULL}}},
    {"hypervisors", "testing the PMU that a hypervisor shows", 7, "hypervisors.md", {{page_hypervisors, NULL}}},
    {"tests", "writing a test", 7, "tests.md", {{page_tests, NULL}}},
    {0},
};

const struct guide *guide_find(const char *name)
{
    for (const struct guide *g = guides; g->name; g++)
        if (strcmp(g->name, name) == 0)
            return g;
    return NULL;
}

const struct guide *guide_of_link(const char *target)
{
    const char *slash = strrchr(target, '/'), *file = slash ? slash + 1 : target;
    for (const struct guide *g = guides; g->name; g++)
        if (strncmp(file, g->file, strlen(g->file)) == 0 && strchr("#", file[strlen(g->file)]))
            return g;
    return NULL;
}

/* The part of a page from a heading to the next one of the same level. */
static char *part(const char *text, const char *heading)
{
    size_t level = strspn(heading, "#");
    const char *first = strstr(text, heading), *end = first ? first + 1 : NULL;
    if (!first)
        return strdup("");
    while ((end = strstr(end, "\n#")) && strspn(end + 1, "#") > level)
        end++;
    return end ? strndup(first, (size_t)(end + 1 - first)) : strdup(first);
}

char *guide_piece(const struct guide *guide, unsigned i)
{
    if (i >= GUIDE_PIECES || !guide->piece[i].text)
        return NULL;
    return guide->piece[i].begin ? part(guide->piece[i].text, guide->piece[i].begin) : strdup(guide->piece[i].text);
}

/* ---- For a terminal */

static void put_character(FILE *out, char c)
{
    fputc(c, out);
}

static const struct markdown_style plain = {
    .code = {"`", "`"}, .strong = {"", ""}, .emphasis = {"", ""}, .put = put_character};

/* The text without its marks, filled; `before` stands before it. */
static void put_filled(FILE *out, const char *before, const char *text, unsigned margin)
{
    char *words = NULL;
    size_t size;
    FILE *stream = text_stream(&words, &size);
    fputs(before, stream);
    markdown_put(stream, text, &plain);
    fclose(stream);
    fill(out, words, margin, FILL_WIDTH);
    free(words);
}

static void put_item(FILE *out, const struct markdown_block *b)
{
    char *lines = NULL;
    size_t size, mark = strlen(b->mark) + 1;
    FILE *stream = text_stream(&lines, &size);
    put_filled(stream, "", b->text, (unsigned)mark);
    fclose(stream);
    fprintf(out, "%s %s", b->mark, size > mark ? lines + mark : "\n");
    free(lines);
}

/* The first cell is what the row is about. With more than two, the others are told by their columns. */
static void put_row(FILE *out, const struct markdown_block *b)
{
    put_filled(out, "", b->cell[0], 4);
    for (unsigned i = 1; i < b->cells; i++) {
        char column[80] = "";
        if (b->cells > 2 && b->columns[i] && b->columns[i][0])
            snprintf(column, sizeof(column), "%s: ", b->columns[i]);
        if (b->cell[i][0])
            put_filled(out, column, b->cell[i], 8);
    }
}

static void put_code(FILE *out, const char *text)
{
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        fprintf(out, "%s%.*s\n", length ? "    " : "", (int)length, text);
    }
}

static void put_block(FILE *out, const struct markdown_block *b)
{
    switch (b->kind) {
    case MARKDOWN_HEADING:
        fprintf(out, "%.*s ", (int)b->level, "######");
        markdown_put(out, b->text, &plain);
        fputc('\n', out);
        break;
    case MARKDOWN_PARAGRAPH:
        put_filled(out, "", b->text, 0);
        break;
    case MARKDOWN_CODE:
        put_code(out, b->text);
        break;
    case MARKDOWN_ITEM:
        put_item(out, b);
        break;
    case MARKDOWN_ROW:
        put_row(out, b);
        break;
    case MARKDOWN_COLUMNS:
        break;
    }
}

void guide_put(FILE *out, const char *markdown)
{
    struct markdown m = {.next = markdown};
    enum markdown_kind last = MARKDOWN_COLUMNS; /* nothing stands before it */
    for (const struct markdown_block *b; (b = markdown_next(&m)); last = b->kind) {
        bool together = b->kind == last && (b->kind == MARKDOWN_ITEM || b->kind == MARKDOWN_ROW);
        if (last != MARKDOWN_COLUMNS && !together && b->kind != MARKDOWN_ROW)
            fputc('\n', out);
        put_block(out, b);
    }
}

void guide_print(FILE *out, const struct guide *guide)
{
    char *piece;
    for (unsigned i = 0; (piece = guide_piece(guide, i)); i++) {
        if (i > 0)
            fputc('\n', out);
        guide_put(out, piece);
        free(piece);
    }
}
