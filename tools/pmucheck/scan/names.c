/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/scan/scan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct names {
    struct arena *arena;
    LIST(const char *) name;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_boot(struct names *names, const struct log_boot *boot)
{
    for_each_item (boot->runs, run)
        for (unsigned k = 0; log_run_of_tests(run) && k < run->results.count; k++)
            *LIST_ADD(names->arena, &names->name) = run->results.item[k].id;
    for_each_item (boot->records, r)
        if (log_is(r, "test"))
            *LIST_ADD(names->arena, &names->name) = r->subject;
}

const char *scan_names_of_log(struct arena *arena, const struct log_file *file)
{
    struct names names = {.arena = arena};
    size_t length = 1, used = 0;
    for_each_item (file->boots, boot)
        add_boot(&names, boot);
    LIST_SORT(names.name, by_name);
    for_each_item (names.name, name)
        length += strlen(*name) + 1;
    char *text = arena_alloc(arena, length);
    for (unsigned i = 0; i < names.name.count; i++) {
        if (i > 0 && strcmp(names.name.item[i], names.name.item[i - 1]) == 0)
            continue;
        used += (size_t)sprintf(text + used, "%s\n", names.name.item[i]);
    }
    return text;
}

uint32_t scan_names_sum(const char *names)
{
    return (uint32_t)crc32(0, (const unsigned char *)names, (unsigned)strlen(names));
}
