/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of each published erratum. */
#include "tools/docs/errata_table.h"
#include "tools/pmucheck/log/told.h"
#include <string.h>

static enum erratum_state state_of(const char *word)
{
    unsigned state = 0;
    while (state < ERRATUM_STATES && strcmp(erratum_state_name((enum erratum_state)state), word) != 0)
        state++;
    return (enum erratum_state)state;
}

bool told_erratum(const struct log_record *r, struct told_erratum *e)
{
    if (!log_is(r, "erratum"))
        return false;
    *e = (struct told_erratum){.number = r->subject,
                               .area = log_word(r, "area"),
                               .word = log_word(r, "state"),
                               .state = state_of(log_word(r, "state")),
                               .because = log_word(r, "because"),
                               .test = log_word(r, "test"),
                               .core_type = log_count(r, "core-type"),
                               .seen = log_count(r, "seen"),
                               .asked = log_count(r, "asked"),
                               .per_million = log_count(r, "per-million"),
                               .excluded = log_count(r, "excluded-per-million")};
    return true;
}

bool told_shows(const struct told_erratum *e)
{
    return e->state == ERRATUM_SEEN || e->state == ERRATUM_NOT_FIXED;
}

const char *told_percent(struct arena *arena, uint64_t per_million)
{
    return arena_print(arena, "%.3g %%", (double)per_million / 1e4);
}

/* The reason that the log's word stands for, with the table's details: "no test uses: probe mode". */
static const char *reason(struct arena *arena, const struct told_erratum *e)
{
    const struct errata_row *row = errata_row_of(e->number);
    if (strcmp(e->because, errata_why_name(JUDGED)) == 0)
        return "no check of this run was about it";
    for (unsigned why = JUDGED + 1; why < ERRATA_WHYS; why++)
        if (strcmp(e->because, errata_why_name((enum errata_why)why)) == 0)
            return row && row->why == why && row->details[0]
                       ? arena_print(arena, "%s: %s", errata_whys[why], row->details)
                       : errata_whys[why];
    return e->because;
}

/* "seen 3 of 300 times (1 %)" */
static const char *seen(struct arena *arena, const struct told_erratum *e)
{
    return arena_print(arena, "seen %llu of %llu times (%s)", (unsigned long long)e->seen, (unsigned long long)e->asked,
                       told_percent(arena, e->per_million));
}

/* "not seen in 3000 checks: rarer than 0.1 %"; a handful of checks excludes nothing. */
static const char *unseen(struct arena *arena, const struct told_erratum *e)
{
    const char *checks = e->asked == 1 ? "check" : "checks";
    if (e->excluded >= 1000000)
        return arena_print(arena, "not seen in %llu %s", (unsigned long long)e->asked, checks);
    return arena_print(arena, "not seen in %llu %s: rarer than %s", (unsigned long long)e->asked, checks,
                       told_percent(arena, e->excluded));
}

const char *told_erratum_words(struct arena *arena, const struct told_erratum *e)
{
    switch (e->state) {
    case ERRATUM_SEEN:
        return seen(arena, e);
    case ERRATUM_NOT_FIXED:
        return arena_print(arena, "%s, although this microcode should fix it", seen(arena, e));
    case ERRATUM_NOT_SEEN:
        return unseen(arena, e);
    case ERRATUM_FIXED:
        return e->asked ? arena_print(arena, "fixed by this microcode, and %s", unseen(arena, e))
                        : "fixed by this microcode, and not tested";
    case ERRATUM_NOT_HERE:
        return "not in this state of the CPU";
    case ERRATUM_NOT_JUDGED:
        return reason(arena, e);
    case ERRATUM_NOT_PROVOKED:
        return reason(arena, e);
    default:
        return e->word;
    }
}
