/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes pages for man, in troff's man macros. */
#pragma once

#include <stdio.h>

/* The head of a page, "pmucheck-log(5)", up to the line of what it is. */
void man_begin(FILE *out, const char *name, unsigned section, const char *summary);
/* Text within a line, without marks; troff's own characters are written so that they mean themselves. */
void man_put(FILE *out, const char *text);
/* Paragraphs, separated by an empty line; lines that begin with blanks are not filled. */
void man_paragraphs(FILE *out, const char *text);
/* Markdown. Headings of the second level become sections; the first heading is left out, as the page has a head. */
void man_markdown(FILE *out, const char *markdown);
