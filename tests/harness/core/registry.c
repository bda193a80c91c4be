/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/registry.h"
#include "kernel/text/text.h"

static void insert(struct registry *registry, const struct test_declaration *test)
{
    unsigned at = registry->count++;
    for (; at && strcmp(registry->test[at - 1]->id, test->id) > 0; at--)
        registry->test[at] = registry->test[at - 1];
    registry->test[at] = test;
}

bool registry_fill(struct registry *registry, const struct test_declaration *const *first,
                   const struct test_declaration *const *end, unsigned expected, char *error)
{
    unsigned found = (unsigned)(end - first);
    registry->count = 0;
    if (found > TESTS_MAX || found != expected) {
        format_text(error, REGISTRY_ERROR_SIZE, "%u tests registered by %u test files", found, expected);
        return false;
    }
    for (; first < end; first++)
        insert(registry, *first);
    for (unsigned i = 1; i < registry->count; i++)
        if (!strcmp(registry->test[i - 1]->id, registry->test[i]->id)) {
            format_text(error, REGISTRY_ERROR_SIZE, "two tests are called %s", registry->test[i]->id);
            return false;
        }
    return true;
}
