/* SPDX-License-Identifier: BSD-2-Clause */
/* Which tests, in which order. */
#include "harness/core/random.h"
#include "harness/run/run.h"
#include "kernel/text/text.h"

static bool matches_any(const struct registry *registry, const char *glob)
{
    for (unsigned i = 0; i < registry->count; i++)
        if (glob_match(glob, registry->test[i]->id))
            return true;
    return false;
}

/* A glob without effect is a typing error, and would silently test less than was asked for. */
static bool check_globs(const struct registry *registry, const char *option, const char *list, char *error)
{
    char glob[64];
    while (list_next(&list, glob, sizeof(glob)))
        if (!matches_any(registry, glob)) {
            format_text(error, SELECT_ERROR_SIZE, "%s=%s matches no test (the option `list` names them)", option, glob);
            return false;
        }
    return true;
}

bool select_tests(const struct registry *registry, const char *run, const char *skip, struct selection *selection,
                  char *error)
{
    selection->count = 0;
    if (!check_globs(registry, "run", run, error) || !check_globs(registry, "skip", skip, error))
        return false;
    for (unsigned i = 0; i < registry->count; i++) {
        const char *id = registry->test[i]->id;
        if ((!run[0] || glob_list_match(run, id)) && !glob_list_match(skip, id))
            selection->test[selection->count++] = registry->test[i];
    }
    if (!selection->count)
        format_text(error, SELECT_ERROR_SIZE, "run= and skip= leave no test");
    return selection->count;
}

void select_shuffle(struct selection *selection, u64 seed)
{
    u64 state = random_begin(seed);
    for (unsigned i = selection->count; i > 1; i--) {
        unsigned j = random_below(&state, i);
        const struct test_declaration *test = selection->test[i - 1];
        selection->test[i - 1] = selection->test[j];
        selection->test[j] = test;
    }
}

bool select_part(const char *text, u32 *part, u32 *parts, char *error)
{
    const char *rest = text;
    *part = *parts = 1;
    if (!*text)
        return true;
    if (number_take(&rest, part) && *rest++ == '/' && number_take(&rest, parts) && !*rest && *part >= 1 &&
        *part <= *parts && *parts <= PARTS_MOST)
        return true;
    format_text(error, SELECT_ERROR_SIZE, "%s: not a part like 1/2", text);
    return false;
}
