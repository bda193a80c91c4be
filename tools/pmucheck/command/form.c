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

static bool is_one(const char *const forms[], const char *name)
{
    while (*forms && strcmp(*forms, name) != 0)
        forms++;
    return *forms;
}

/* "text, json or junit" */
static const char *list_of(struct arena *arena, const char *const forms[])
{
    const char *text = forms[0];
    for (size_t i = 1; forms[i]; i++)
        text = arena_print(arena, "%s%s%s", text, forms[i + 1] ? ", " : " or ", forms[i]);
    return text;
}

bool form_settle(const struct command *command, const char *const forms[], const char *output, const char **format)
{
    const char *by_name = form_of_name(output);
    struct arena arena = {0};
    bool good = false;
    if (*format && !is_one(forms, *format))
        command_refuse(command, "--format=%s: it must be %s", *format, list_of(&arena, forms));
    else if (*format && by_name && !is_kin(*format, by_name))
        command_refuse(command, "--output=%s is the name of a file of form %s, and --format says %s", output, by_name,
                       *format);
    else if (!*format && by_name && !is_one(forms, by_name))
        command_refuse(command, "--output=%s: a file of form %s is not written here, but %s: name a form by --format",
                       output, by_name, list_of(&arena, forms));
    else
        good = true;
    arena_free(&arena);
    if (good && !*format)
        *format = by_name ? by_name : forms[0];
    return good;
}
