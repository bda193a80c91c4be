/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/core/image.h"
#include "tools/pmucheck/help/help.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* troff's names of characters that it would take for a command, or draw as a typesetter's. */
static void put_character(FILE *out, char c)
{
    static const struct {
        char c;
        const char *name;
    } names[] = {{'\\', "\\e"}, {'-', "\\-"}, {'\'', "\\(aq"}, {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (c == names[i].c) {
            fputs(names[i].name, out);
            return;
        }
    fputc(c, out);
}

/* In what is written as a program's text, a line may break after these. */
static void put_breakable(FILE *out, char c)
{
    put_character(out, c);
    if (strchr("|,/=+", c))
        fputs("\\:", out);
}

void man_put(FILE *out, const char *text)
{
    for (bool begins = true; *text; begins = *text++ == '\n') {
        if (begins && *text == '.')
            fputs("\\&", out);
        put_breakable(out, *text);
    }
}

/* Another page's name after the words of a link to it. */
static void put_reference(FILE *out, const char *target)
{
    const struct guide *guide = guide_of_link(target);
    if (!guide)
        return;
    fputs(" (\\fBpmucheck\\-", out);
    man_put(out, guide->name);
    fprintf(out, "\\fR(%u))", guide->section);
}

static const struct markdown_style style = {.code = {"\\fB", "\\fR"},
                                            .strong = {"\\fB", "\\fR"},
                                            .emphasis = {"\\fI", "\\fR"},
                                            .put = put_breakable,
                                            .link = put_reference};

static void put_text(FILE *out, const char *text)
{
    if (*text == '.')
        fputs("\\&", out);
    markdown_put(out, text, &style);
}

static void put_capitals(FILE *out, const char *text)
{
    for (; *text; text++)
        put_character(out, (char)toupper((unsigned char)*text));
}

void man_begin(FILE *out, const char *name, unsigned section, const char *summary)
{
    fputs(".TH ", out);
    put_capitals(out, name);
    fprintf(out, " %u %s \"pmucheck %s\" pmucheck\n.nh\n.ad l\n.SH NAME\n", section, build_date, build_version);
    man_put(out, name);
    fputs(" \\- ", out);
    man_put(out, summary);
    fputc('\n', out);
}

/* A line of text that is not filled. */
static void put_line(FILE *out, const char *line, size_t length)
{
    if (length > 0 && *line == '.')
        fputs("\\&", out);
    for (size_t i = 0; i < length; i++)
        put_character(out, line[i]);
    fputc('\n', out);
}

void man_paragraphs(FILE *out, const char *text)
{
    bool as_is = false;
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        if ((*text == ' ') != as_is)
            fputs(as_is ? ".fi\n" : ".nf\n", out);
        as_is = *text == ' ';
        if (length == 0)
            fputs(".PP\n", out);
        else
            put_line(out, text, length);
    }
    if (as_is)
        fputs(".fi\n", out);
}

static void put_heading(FILE *out, const struct markdown_block *b)
{
    if (b->level == 1)
        return;
    fputs(b->level == 2 ? ".SH \"" : ".SS \"", out);
    (b->level == 2 ? put_capitals : man_put)(out, b->text);
    fputs("\"\n", out);
}

static void put_code(FILE *out, const char *text)
{
    fputs(".RS 4\n.nf\n", out);
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        put_line(out, text, length);
    }
    fputs(".fi\n.RE\n", out);
}

/* The first cell is what the row is about. With more than two, the others are told by their columns. */
static void put_row(FILE *out, const struct markdown_block *b)
{
    fputs(".TP\n", out);
    put_text(out, b->cell[0]);
    fputc('\n', out);
    for (unsigned i = 1; i < b->cells; i++) {
        if (!b->cell[i][0])
            continue;
        if (b->cells > 2 && b->columns[i] && b->columns[i][0]) {
            fputs(i > 1 ? ".br\n\\fI" : "\\fI", out);
            man_put(out, b->columns[i]);
            fputs("\\fR: ", out);
        }
        put_text(out, b->cell[i]);
        fputc('\n', out);
    }
}

static void put_block(FILE *out, const struct markdown_block *b)
{
    switch (b->kind) {
    case MARKDOWN_HEADING:
        put_heading(out, b);
        break;
    case MARKDOWN_PARAGRAPH:
        put_text(out, b->text);
        fputc('\n', out);
        break;
    case MARKDOWN_CODE:
        put_code(out, b->text);
        break;
    case MARKDOWN_ITEM:
        fprintf(out, ".IP \"%s\" 4\n", b->mark[0] == '-' ? "\\(bu" : b->mark);
        put_text(out, b->text);
        fputc('\n', out);
        break;
    case MARKDOWN_ROW:
        put_row(out, b);
        break;
    case MARKDOWN_COLUMNS:
        break;
    }
}

void man_markdown(FILE *out, const char *markdown)
{
    struct markdown m = {.next = markdown};
    enum markdown_kind last = MARKDOWN_HEADING; /* after which a paragraph begins by itself */
    for (const struct markdown_block *b; (b = markdown_next(&m)); last = b->kind) {
        if (last != MARKDOWN_HEADING && (b->kind == MARKDOWN_PARAGRAPH || b->kind == MARKDOWN_CODE))
            fputs(".PP\n", out);
        put_block(out, b);
    }
}
