/* SPDX-License-Identifier: BSD-2-Clause */
/* Any text as option save=, and any lines of any length into a small zone. */
#include "kernel/firmware/save.h"
#include "kernel/log/kept.h"

#include <stdlib.h>
#include <string.h>

#define SIZE 4096u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void parse(const uint8_t *data, size_t size)
{
    struct save_plan plan;
    char error[SAVE_ERROR_SIZE] = "", *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = 0;
    if (save_parse(text, &plan, error) ? (!plan.efi && !plan.size) || plan.size > RAMOOPS_MOST : !error[0])
        abort();
    free(text);
}

/* Each byte gives the length of a line, in steps, and its characters. */
static void fill(const uint8_t *data, size_t size)
{
    static char line[256 * 5];
    struct ramoops *zone = malloc(SIZE);
    ramoops_begin(zone);
    for (size_t i = 0; i < size; i++) {
        size_t length = data[i] * 5u;
        memset(line, 'a' + (int)(i % 26), length);
        if (length)
            line[length - 1] = '\n';
        u32 before = zone->size, changed = ramoops_add(zone, SIZE, line, length);
        if (zone->start || zone->size > SIZE - sizeof(*zone) || changed > before)
            abort();
    }
    free(zone);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    parse(data, size);
    fill(data, size);
    return 0;
}
