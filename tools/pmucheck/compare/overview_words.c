/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/compare/overview.h"
#include <string.h>

const char *const overview_outcome_name[OVERVIEW_OUTCOMES] = {"fail",  "error", "review", "lost",
                                                              "known", "pass",  "skip"};

enum overview_outcome overview_outcome_of(const char *text)
{
    for (unsigned i = 0; text && i < OVERVIEW_OUTCOMES; i++) {
        const char *name = overview_outcome_name[i];
        size_t length = text[0] == name[0] ? strlen(name) : 0; /* the first letters nearly always decide */
        if (length && strncmp(text, name, length) == 0 && (!text[length] || text[length] == ':'))
            return (enum overview_outcome)i;
    }
    return OVERVIEW_NONE;
}

const char *overview_reason(const char *text)
{
    for (const char *colon = strstr(text, ": "); colon; colon = strstr(text, ": "))
        text = colon + 2;
    return text;
}

/* Words that brands of most CPUs have, or that say nothing about the PMU. */
static bool is_filler(const char *word, size_t length)
{
    static const char *const fillers[] = {"Intel", "CPU", "Processor", "Gen", "Genuine"};
    for (size_t i = 0; i < sizeof(fillers) / sizeof(fillers[0]); i++)
        if (strlen(fillers[i]) == length && strncmp(word, fillers[i], length) == 0)
            return true;
    return length > 2 && word[0] >= '0' && word[0] <= '9' && strncmp(word + length - 2, "th", 2) == 0;
}

/* Adds a word without "(R)" and "(TM)", and without the brackets around a name such as "(Nova Lake)". */
static const char *add_word(struct arena *arena, const char *text, const char *word, size_t length)
{
    if (word[0] == '(') {
        word++;
        length--;
    }
    const char *mark = memchr(word, '(', length), *end = memchr(word, ')', length);
    size_t kept = mark ? (size_t)(mark - word) : end ? (size_t)(end - word) : length;
    return !kept || is_filler(word, kept) ? text
                                          : arena_print(arena, "%s%s%.*s", text, text[0] ? " " : "", (int)kept, word);
}

const char *overview_short(struct arena *arena, const struct sheet *sheet, unsigned index)
{
    const struct sheet_model *model = &sheet->models.item[index];
    const char *text = "";
    for (const char *word = model->brand; *word && *word != '@'; word += strspn(word, " ")) {
        text = add_word(arena, text, word, strcspn(word, " "));
        word += strcspn(word, " ");
    }
    text = text[0] ? text : model->signature[0] ? model->signature : "unknown CPU";
    return strncmp(model->pmu, "virtual", 7) == 0 ? arena_print(arena, "%s, %s", text, model->pmu) : text;
}

const char *overview_short_kind(struct sheet *sheet, unsigned column)
{
    const struct sheet_column *c = &sheet->columns.item[column];
    const struct sheet_machine *machine = &sheet->machines.item[c->machine];
    const char *model = overview_short(&sheet->arena, sheet, machine->model);
    return machine->kinds > 1 ? arena_print(&sheet->arena, "%s, %s", model, c->kind) : model;
}

const char *overview_names(struct sheet *sheet, const unsigned *machine, unsigned count)
{
    const char *text = "";
    for (unsigned i = 0; i < count && i < OVERVIEW_NAMED; i++)
        text = arena_join(&sheet->arena, text, ", ", sheet->machines.item[machine[i]].name);
    return count > OVERVIEW_NAMED ? arena_print(&sheet->arena, "%s and %u more", text, count - OVERVIEW_NAMED) : text;
}
