/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/outcomes.h"
#include "kernel/text/text.h"

static const char letters[] = {
    [OUTCOME_NONE] = '-',   [OUTCOME_PASS] = 'p', [OUTCOME_SKIP] = 's',  [OUTCOME_KNOWN] = 'k',
    [OUTCOME_REVIEW] = 'r', [OUTCOME_FAIL] = 'f', [OUTCOME_ERROR] = 'e',
};

void outcomes_begin(struct outcomes *outcomes, const struct registry *registry)
{
    outcomes->registry = registry;
    memset(outcomes->worst, OUTCOME_NONE, sizeof(outcomes->worst));
    outcomes->alsos = 0;
}

/* Where the outcome of this result is kept; NULL: there is no room. */
static u8 *place_of(struct outcomes *outcomes, const struct test_declaration *test)
{
    unsigned i = 0;
    for (; i < outcomes->registry->count; i++)
        if (outcomes->registry->test[i] == test)
            return &outcomes->worst[i];
    for (i = 0; i < outcomes->alsos && strcmp(outcomes->also[i].id, test->id);)
        i++;
    if (i == OUTCOMES_ALSO)
        return NULL;
    if (i == outcomes->alsos) {
        outcomes->also[i].id = test->id;
        outcomes->also[i].worst = OUTCOME_NONE;
        outcomes->alsos++;
    }
    return &outcomes->also[i].worst;
}

void outcomes_note(struct outcomes *outcomes, const struct test_declaration *test, enum outcome outcome)
{
    u8 *worst = place_of(outcomes, test);
    if (worst && outcome > *worst)
        *worst = (u8)outcome;
}

u32 outcomes_ids(const struct registry *registry)
{
    u32 sum = 0;
    for (unsigned i = 0; i < registry->count; i++)
        sum = crc32_update(crc32_update(sum, registry->test[i]->id, strlen(registry->test[i]->id)), "\n", 1);
    return sum;
}

const char *outcomes_line(char *line, const struct outcomes *outcomes)
{
    unsigned count = outcomes->registry->count, next;
    size_t used = (size_t)format_text(line, OUTCOMES_LINE, "# outcomes tests=%u ids=%08x list=", count,
                                      outcomes_ids(outcomes->registry));
    for (unsigned i = 0; i < count && used + 8 < OUTCOMES_LINE; i = next) {
        for (next = i + 1; next < count && outcomes->worst[next] == outcomes->worst[i];)
            next++;
        const char *form = next - i > 1 ? "%c%u" : "%c";
        used += (size_t)format_text(line + used, OUTCOMES_LINE - used, form, letters[outcomes->worst[i]], next - i);
    }
    for (unsigned i = 0; i < outcomes->alsos; i++)
        used += (size_t)format_text(line + used, OUTCOMES_LINE - used, "%s%s:%c",
                                    i ? "," : " also=", outcomes->also[i].id, letters[outcomes->also[i].worst]);
    return line;
}
