/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/command/form.h"
#include "tools/arena.h"
#include "tools/span.h"
#include <string.h>

/* Endings of names that belong to one form. Others, .txt and .log among them, belong to none. */
static const struct {
    const char *ending, *form;
} endings[] = {{".json", "json"},     {".html", "html"},     {".htm", "html"},  {".md", "markdown"},
               {".xml", "junit"},     {".ktap", "ktap"},     {".tap", "ktap"},  {".csv", "csv"},
               {".ndjson", "ndjson"}, {".sqlite", "sqlite"}, {".db", "sqlite"}, {".lava", "lava"}};

/* Forms whose text is of another form, too. */
static const struct {
    const char *form, *also;
} kin[] = {{"kcidb", "json"}};

static bool is_kin(const char *form, const char *other)
{
    for (size_t i = 0; i < sizeof(kin) / sizeof(kin[0]); i++)
        if (strcmp(kin[i].form, form) == 0 && strcmp(kin[i].also, other) == 0)
            return true;
    return strcmp(form, other) == 0;
}

static const char *form_of_name(const char *output)
{
    struct span name = {output, output ? strlen(output) : 0};
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
        if (span_ends_with(name, endings[i].ending))
            return endings[i].form;
    return NULL;
}

/* ---- The rows of a command */

struct forms {
    const char *first; /* bytes */
    size_t size;
};

static const char *name_of(const struct forms *forms, size_t row)
{
    return *(const char *const *)(const void *)(forms->first + row * forms->size);
}

static const void *row_of(const struct forms *forms, const char *name)
{
    for (size_t i = 0; name && name_of(forms, i); i++)
        if (strcmp(name_of(forms, i), name) == 0)
            return forms->first + i * forms->size;
    return NULL;
}

/* "text, json or junit" */
static const char *list_of(struct arena *arena, const struct forms *forms)
{
    const char *text = "";
    for (size_t i = 0; name_of(forms, i); i++)
        text = arena_join(arena, text, name_of(forms, i + 1) ? ", " : " or ", name_of(forms, i));
    return text;
}

const void *form_settle(const struct command *command, const void *rows, size_t size, const char *format,
                        const char *output)
{
    const struct forms forms = {rows, size};
    const char *by_name = form_of_name(output);
    const void *row = format ? row_of(&forms, format) : by_name ? row_of(&forms, by_name) : rows;
    struct arena arena = {0};
    if (!row && format)
        command_refuse(command, "--format=%s: it must be %s", format, list_of(&arena, &forms));
    else if (!row)
        command_refuse(command, "--output=%s: a file of form %s is not written here, but %s: name a form by --format",
                       output, by_name, list_of(&arena, &forms));
    else if (format && by_name && !is_kin(format, by_name)) {
        command_refuse(command, "--output=%s is the name of a file of form %s, and --format says %s", output, by_name,
                       format);
        row = NULL;
    }
    arena_free(&arena);
    return row;
}
