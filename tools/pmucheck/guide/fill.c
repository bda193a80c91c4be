/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/guide/fill.h"
#include <stdbool.h>
#include <string.h>

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
