/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/log/severity.h"
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

const char *const severity_name[SEVERITIES] = {"critical", "high", "medium", "low"};

#define SEVERITY(test, label, level, why, what_to_do) {test, label, SEVERITY_##level, why, what_to_do},
static const struct severity_row rows[] = {
#include "tools/pmucheck/log/severity.def"
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static bool fits(const char *pattern, const char *name)
{
    size_t length = strcspn(pattern, "*");
    return pattern[length] ? strncmp(pattern, name, length) == 0 : strcmp(pattern, name) == 0;
}

const struct severity_row *severity_of(const char *test, const char *label)
{
    for (size_t i = 0; i < ROWS - 1; i++)
        if (fits(rows[i].test, test) && fits(rows[i].label, label))
            return &rows[i];
    return &rows[ROWS - 1]; /* the last row matches everything */
}
