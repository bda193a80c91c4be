/* SPDX-License-Identifier: BSD-2-Clause */
/* Any text as a guide's Markdown, on a terminal and as a page for man. */
#include "tools/pmucheck/help/help.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print(void (*put)(FILE *, const char *), const char *text)
{
    char *printed = NULL;
    size_t length;
    FILE *out = open_memstream(&printed, &length);
    if (!out)
        abort();
    put(out, text);
    fclose(out);
    /* Every character that is read may be written once, with marks and margins: never without end. */
    if (length > 100 * (strlen(text) + 10))
        abort();
    free(printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = strndup((const char *)data, size);
    print(guide_put, text);
    print(man_markdown, text);
    free(text);
    return 0;
}
