/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/aspect.h"
#include "kernel/text/text.h"

/* Permanent, because logs contain them. */
#define ASPECT(id, name, promise) {ASPECT_##id, name},
static const struct {
    u64 aspect;
    const char *name;
} names[] = {
#include "harness/core/aspect.def"
};
#undef ASPECT

const char *aspect_text(u64 aspects, char *text)
{
    size_t length = 0;
    format_text(text, ASPECT_TEXT, "nothing");
    for_each_row (names, row)
        if (aspects & row->aspect && length < ASPECT_TEXT)
            length += (size_t)format_text(text + length, ASPECT_TEXT - length, "%s%s", length ? "," : "", row->name);
    return text;
}

bool aspect_parse(const char *text, u64 *aspects)
{
    char name[40];
    bool all = true;
    *aspects = 0;
    while (list_next(&text, name, sizeof(name))) {
        bool found = !strcmp(name, "nothing");
        for_each_row (names, row)
            if (!strcmp(name, row->name)) {
                *aspects |= row->aspect;
                found = true;
            }
        all &= found;
    }
    return all;
}
