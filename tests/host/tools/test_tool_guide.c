/* SPDX-License-Identifier: BSD-2-Clause */
/* Guides inside the program: their Markdown on a terminal and as a page for man. */
#include "tests/host/tools/text_rig.h"
#include "tools/pmucheck/help/help.h"
#include <stdio.h>
#include <string.h>

static void print(void (*put)(FILE *, const char *), const char *markdown)
{
    FILE *out = text_new();
    put(out, markdown);
    fclose(out);
}

/* Markdown; on a terminal; for man. */
static const struct {
    const char *markdown, *text, *man;
} rows[] = {
    {"", "", ""},
    {"One.\nTwo\n", "One. Two\n", "One. Two\n"},
    {"# A\n\nOne.\n\nTwo.\n", "# A\n\nOne.\n\nTwo.\n", "One.\n.PP\nTwo.\n"},
    {"## A b\n### C\nOne.\n", "## A b\n\n### C\n\nOne.\n", ".SH \"A B\"\n.SS \"C\"\nOne.\n"},
    /* Marks, and what only looks like one. */
    {"`a*b*` *c d* **e** 2 * 3, f*\n", "`a*b*` c d e 2 * 3, f*\n", "\\fBa*b*\\fR \\fIc d\\fR \\fBe\\fR 2 * 3,\\: f*\n"},
    {"`a\n", "`a\n", "\\(gaa\n"},
    {"[a `b`](lab.md#c), [d](x.md), [e]\n", "a `b`, d, [e]\n",
     "a \\fBb\\fR (\\fBpmucheck\\-lab\\fR(7)),\\: d,\\: [e]\n"},
    /* troff's own characters */
    {".x 'y' \\z\n\n    .a\n    'b'\n", ".x 'y' \\z\n\n    .a\n    'b'\n",
     "\\&.x \\(aqy\\(aq \\ez\n.PP\n.RS 4\n.nf\n\\&.a\n\\(aqb\\(aq\n.fi\n.RE\n"},
    {"`a|b`\n", "`a|b`\n", "\\fBa|\\:b\\fR\n"},
    /* Code between marks, and with a margin and an empty line. */
    {"```c\nint a;\n\n  b\n```\nThen\n", "    int a;\n\n      b\n\nThen\n",
     ".RS 4\n.nf\nint a;\n\n  b\n.fi\n.RE\n.PP\nThen\n"},
    {"    a\n\n    b\n\nc\n", "    a\n\n    b\n\nc\n", ".RS 4\n.nf\na\n\nb\n.fi\n.RE\n.PP\nc\n"},
    {"```\nnot closed", "    not closed\n", ".RS 4\n.nf\nnot closed\n.fi\n.RE\n"},
    {"- a\n  b\n- c\n\n10. d\n", "- a b\n- c\n10. d\n", ".IP \"\\(bu\" 4\na b\n.IP \"\\(bu\" 4\nc\n.IP \"10.\" 4\nd\n"},
    /* Tables of two and of three columns; a bar in a cell; a cell without text. */
    {"A:\n\n| x | y |\n|---|---|\n| `a\\|b` | c |\n| d | e |\n\nB\n",
     "A:\n\n    `a|b`\n        c\n    d\n        e\n\nB\n", "A:\n.TP\n\\fBa|\\:b\\fR\nc\n.TP\nd\ne\n.PP\nB\n"},
    {"| x | y | z |\n|---|---|---|\n| a | b | c |\n| d |  | f |\n",
     "    a\n        y: b\n        z: c\n    d\n        z: f\n",
     ".TP\na\n\\fIy\\fR: b\n.br\n\\fIz\\fR: c\n.TP\nd\n.br\n\\fIz\\fR: f\n"},
    {"| a | b |", "    a\n        b\n", ".TP\na\nb\n"},
    {"|", "", ".TP\n\n"},
    {"<!-- x begin -->\n![p](q.png)\na\n<!-- x end -->\n", "a\n", "a\n"},
};

CASE(markdown_is_laid_out)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        print(guide_put, rows[i].markdown);
        assert_string_equal(text, rows[i].text);
        print(man_markdown, rows[i].markdown);
        assert_string_equal(text, rows[i].man);
    }
}

static char *page(const char *name)
{
    FILE *out = text_new();
    guide_print(out, guide_find(name));
    fclose(out);
    return text;
}

/* Of the README only the sections that a guide is about. */
CASE(guides_are_pages_or_sections)
{
    assert_null(guide_find("no-such"));
    assert_ptr_equal(guide_of_link("../docs/log.md#at-the-end"), guide_find("log"));
    assert_null(guide_of_link("logs.md"));
    assert_null(guide_of_link("log.mdx"));
    assert_int_equal(strncmp(page("options"), "# Options of the image\n", 23), 0);
    says("    `quick`\n        fewer repeats");
    assert_int_equal(strncmp(page("log"), "## Reading the log\n", 19), 0);
    says("### Without a serial cable\n");
    says_not("## Where to go on");
    says("\n# Lines of a log\n");
    for (const struct guide *g = guides; g->name; g++)
        assert_true(strlen(page(g->name)) > 1000);
}

static int forget(void **state)
{
    (void)state;
    return 0;
}

int main(void)
{
    return run_cases_in((struct around_cases){.after_each = forget});
}
