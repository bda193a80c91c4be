/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/compare/overview.h"
#include <string.h>

const char *const overview_outcome_name[OVERVIEW_OUTCOMES] = {"fail",  "error", "review", "lost",
                                                              "known", "pass",  "skip"};

enum overview_outcome overview_outcome_of(const char *text)
{
    for (unsigned i = 0; text && i < OVERVIEW_OUTCOMES; i++) {
        size_t length = strlen(overview_outcome_name[i]);
        if (strncmp(text, overview_outcome_name[i], length) == 0 && (!text[length] || text[length] == ':'))
            return (enum overview_outcome)i;
    }
    return OVERVIEW_NONE;
}

const char *overview_names(struct sheet *sheet, const unsigned *machine, unsigned count)
{
    const char *text = "";
    for (unsigned i = 0; i < count && i < OVERVIEW_NAMED; i++)
        text = arena_print(&sheet->arena, "%s%s%s", text, i ? ", " : "", sheet->machines.item[machine[i]].name);
    return count > OVERVIEW_NAMED ? arena_print(&sheet->arena, "%s and %u more", text, count - OVERVIEW_NAMED) : text;
}
