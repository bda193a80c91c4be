/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/put.h"

static const char *entity_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}

void put_markup(FILE *out, const char *text)
{
    for (; *text; text++)
        if (entity_of(*text))
            fputs(entity_of(*text), out);
        else
            fputc(*text, out);
}
