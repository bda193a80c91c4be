/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Uses the fleet to explain a failure: which machines of the same model pass the test, and how they differ from those
 * that fail. If equals with the same microcode pass, no update helps: the cause is this part or board.
 */
#include "tools/pmucheck/compare/overview.h"
#include <string.h>

#define NAMED_MOST 4

/* ---- The difference between machines that fail and machines that pass */

static const struct {
    const char *name, *what_to_do;
} partings[] = {
    {"microcode", "they differ in microcode: bring all to the one that passes, and test again"},
    {"bios", "they differ in firmware: bring all to the version that passes, with the same options, and test again"},
    {"board", "they differ in board: compare the firmware's options"},
    {"threads per core", "they differ in hyper-threading: use the same setting in the firmware, and test again"},
    {"IA32_MISC_ENABLE", "they differ in the firmware's options: use the same ones, and test again"},
};
#define PARTINGS (sizeof(partings) / sizeof(partings[0]))

/* The machines that fail the test, and those of the same models that pass it. */
struct parted {
    LIST(unsigned) failing, passing;
};

static void part(struct sheet *sheet, const struct overview_finding *f, const struct sheet_row *outcome,
                 struct parted *parted)
{
    bool *model = arena_alloc(&sheet->arena, sheet->models.count + 1);
    for (unsigned i = 0; i < f->machines.count; i++) {
        model[sheet->machines.item[f->machines.item[i]].model] = true;
        *LIST_ADD(&sheet->arena, &parted->failing) = f->machines.item[i];
    }
    for (unsigned m = 0; m < sheet->machines.count; m++) {
        const struct sheet_machine *machine = &sheet->machines.item[m];
        const char *text = sheet_text_of(sheet, sheet_number(outcome, machine->first));
        if (model[machine->model] && overview_outcome_of(text) == OVERVIEW_PASS)
            *LIST_ADD(&sheet->arena, &parted->passing) = m;
    }
}

/* For each text, the number of these machines that have it in the row. */
static unsigned *count_texts(struct sheet *sheet, const struct sheet_row *row, const unsigned *machine, unsigned count)
{
    unsigned *of = arena_alloc(&sheet->arena, (sheet->texts.keys.count + 1) * sizeof(*of));
    for (unsigned i = 0; i < count; i++)
        of[sheet_number(row, sheet->machines.item[machine[i]].first)]++;
    return of;
}

/* Each text that some machines have, with their number: "000000f0 (5)". */
static const char *name_texts(struct sheet *sheet, const unsigned *of)
{
    const char *text = "";
    unsigned named = 0;
    for (unsigned t = 1; t <= sheet->texts.keys.count; t++)
        if (of[t] && named++ < NAMED_MOST)
            text =
                arena_print(&sheet->arena, "%s%s%s (%u)", text, named > 1 ? ", " : "", sheet_text_of(sheet, t), of[t]);
    return named > NAMED_MOST ? arena_print(&sheet->arena, "%s and %u others", text, named - NAMED_MOST) : text;
}

/* Do all these machines have a value in the row, and none that fails the same value as one that passes? Then names the
 * values. */
static const char *tell_parting(struct sheet *sheet, const char *name, const struct parted *parted)
{
    const struct sheet_row *row = sheet_row_of(sheet, SHEET_IDENTITY, "", name);
    if (!row || !row->differs)
        return NULL;
    const unsigned *fail = count_texts(sheet, row, parted->failing.item, parted->failing.count),
                   *pass = count_texts(sheet, row, parted->passing.item, parted->passing.count);
    if (fail[0] || pass[0])
        return NULL;
    for (unsigned t = 1; t <= sheet->texts.keys.count; t++)
        if (fail[t] && pass[t])
            return NULL;
    return arena_print(&sheet->arena, "%s: it fails with %s, passes with %s", name, name_texts(sheet, fail),
                       name_texts(sheet, pass));
}

/* ---- Equals that pass */

static unsigned equals_that_pass(const struct sheet *sheet, unsigned machine, const struct parted *parted)
{
    unsigned fleet = sheet->columns.item[sheet->machines.item[machine].first].fleet, count = 0;
    for_each_item (parted->passing, passing)
        count += sheet->columns.item[sheet->machines.item[*passing].first].fleet == fleet;
    return count;
}

static void tell_equals(struct sheet *sheet, struct overview_finding *f, const struct parted *parted)
{
    LIST(unsigned) alone = {0};
    unsigned most = 0;
    for (unsigned i = 0; i < f->machines.count; i++) {
        unsigned machine = f->machines.item[i], equals = equals_that_pass(sheet, machine, parted);
        most = equals > most ? equals : most;
        if (equals && strcmp(sheet->machines.item[machine].pmu, "hardware") == 0)
            *LIST_ADD(&sheet->arena, &alone) = machine;
    }
    if (!alone.count)
        return;
    const char *names = overview_names(sheet, alone.item, alone.count);
    f->equals = arena_print(&sheet->arena, "%u equal%s of the same microcode pass%s it", most, most == 1 ? "" : "s",
                            most == 1 ? "es" : "");
    f->what_to_do =
        alone.count == f->machines.count
            ? "the cause is this part or board: compare the firmware's options, test again, then swap it"
            : arena_print(&sheet->arena, "on %s the cause is the part or board; else: %s", names, f->what_to_do);
}

void overview_ask_equals(struct sheet *sheet, struct overview_finding *finding, const struct sheet_row *outcome)
{
    struct parted parted = {0};
    finding->equals = "";
    if (finding->outcome != OVERVIEW_FAIL && finding->outcome != OVERVIEW_REVIEW)
        return;
    part(sheet, finding, outcome, &parted);
    for (size_t i = 0; i < PARTINGS && parted.passing.count; i++) {
        const char *text = tell_parting(sheet, partings[i].name, &parted);
        if (!text)
            continue;
        finding->equals = text;
        finding->what_to_do = partings[i].what_to_do;
        return;
    }
    tell_equals(sheet, finding, &parted);
}
