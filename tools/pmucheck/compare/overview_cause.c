/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The causes of differences. A difference between equal machines matters. A difference between models, which all
 * machines of a model share, is to be expected; such rows are grouped by cause: a leaf that a model lacks, a test that
 * it skips. A value that varies a little each time is noise.
 */
#include "tools/pmucheck/compare/overview.h"
#include <stdlib.h>
#include <string.h>

/* ---- Advice for each kind of row */

static const struct {
    enum sheet_section section;
    const char *group, *name; /* names, or their beginnings and "*" */
    bool noise;               /* it also varies between equal machines */
    const char *why, *spec, *what_to_do;
} kinds[] = {
    {SHEET_IDENTITY, "", "microcode", false, "errata come and go with the microcode: two revisions are two CPUs",
     "SDM 3A, Microcode Update Facilities", "bring all to one firmware version, or compare them separately"},
    {SHEET_IDENTITY, "", "threads per core", false, "with hyper-threading a thread has half of a core's counters",
     "SDM 3B, Architectural Performance Monitoring Version 3",
     "use the same setting of hyper-threading in the firmware"},
    {SHEET_IDENTITY, "", "IA32_MISC_ENABLE", false, "its bits turn performance monitoring and sampling on and off",
     "SDM 4, Architectural MSRs", "use the same firmware options"},
    {SHEET_IDENTITY, "", "bios", false, "firmware uses and sets up the PMU, and brings the microcode", "",
     "bring all to one firmware version"},
    {SHEET_IDENTITY, "", "hypervisor", false, "a hypervisor's PMU is not the CPU's", "", "test without it"},
    {SHEET_IDENTITY, "", "commit", false, "another image may test other things", "", "test all with one image"},
    {SHEET_IDENTITY, "", "image's sum", false, "another compiler, other sources, or a damaged image", "",
     "test all with one image; pmucheck report --image identifies it"},
    {SHEET_IDENTITY, "", "CPUs", false, "CPUs that are off are not tested", "", "turn on all cores in the firmware"},
    {SHEET_IDENTITY, "", "core types", false, "CPUs that are off are not tested", "",
     "turn on all cores in the firmware"},
    {SHEET_IDENTITY, "*", "*", true, "", "", ""},
    {SHEET_CAPABILITIES, "*", "*", false, "software programs the PMU by these capabilities", "SDM 2A, CPUID",
     "compare microcode, firmware options and hyper-threading of these machines"},
    {SHEET_RESULTS, "", "*", true, "", "", ""},
    {SHEET_RESULTS, "lockstep", "choices", false, "the same CPU behaves differently where the manual leaves a choice",
     "", "compare the microcode of these machines"},
    {SHEET_RESULTS, "*", "*", false,
     "the same CPU has another outcome: a test is skipped or excused on one machine only", "",
     "compare microcode and firmware options of these machines"},
    {SHEET_ERRATA, "*", "*", false, "a published erratum shows here but not on equals: it is rare, or not all have it",
     "", "compare the microcode of these machines; soak= finds rare errata"},
    {SHEET_BITS, "fingerprint", "*", true, "", "", ""},
    {SHEET_BITS, "*", "*", false, "a write to this register has another effect: drivers fault, or program it wrongly",
     "SDM 4, Model-Specific Registers", "compare the microcode of these machines"},
    {SHEET_HANDOFF, "machine", "*", true, "", "", ""},
    {SHEET_HANDOFF, "advice", "*", false, "only this machine's log gives the advice", "", "follow the advice"},
    {SHEET_HANDOFF, SHEET_RESETS, "*", false, "a warm reset hands over the PMU otherwise than on equals",
     "SDM 3A, Processor State After Reset", "compare firmware versions; pmucheck report lists each register"},
    {SHEET_HANDOFF, "*", "*", false, "firmware leaves another value in this register: a counter may be in use",
     "SDM 3B, Performance Monitoring", "compare firmware versions and options; pmucheck compare --chapter=handoff"},
    {SHEET_MEASURES, "*", "*", true, "", "", ""},
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static bool fits(const char *pattern, const char *name)
{
    return strcmp(pattern, "*") == 0 || strcmp(pattern, name) == 0;
}

static size_t kind_of(const struct sheet_row *row)
{
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].section == row->section && fits(kinds[i].group, row->group) && fits(kinds[i].name, row->name))
            return i;
    return KINDS - 1;
}

/* ---- Within a model, or between models */

/* Columns of one kind of core of one model, by number. */
struct kin {
    unsigned *of, count, *first;
};

static void find_kin(struct sheet *sheet, struct kin *kin)
{
    kin->of = arena_alloc(&sheet->arena, (sheet->columns.count + 1) * sizeof(unsigned));
    kin->first = arena_alloc(&sheet->arena, (sheet->columns.count + 1) * sizeof(unsigned));
    kin->count = 0;
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        const struct sheet_column *column = &sheet->columns.item[c];
        unsigned i = 0;
        for (; i < kin->count; i++) {
            const struct sheet_column *other = &sheet->columns.item[kin->first[i]];
            if (other->place == column->place && other->partial == column->partial)
                break;
        }
        if (i == kin->count)
            kin->first[kin->count++] = c;
        else if (!column->damaged && sheet->columns.item[kin->first[i]].damaged)
            kin->first[i] = c; /* prefer a column with a whole log */
        kin->of[c] = i;
    }
}

static bool differs_within(const struct sheet *sheet, const struct sheet_row *row, const struct kin *kin)
{
    for (unsigned c = 0; c < sheet->columns.count; c++)
        if (!sheet_alike(sheet, row, c, kin->first[kin->of[c]]) && !sheet_lost(sheet, row, c))
            return true;
    return false;
}

/* ---- Names of causes */

/* The length of "CPUID.0DH" in "CPUID.0DH.2": a missing leaf lacks all its parts. */
static size_t leaf_length(const char *group)
{
    const char *dot = strchr(group, '.'), *second = dot ? strchr(dot + 1, '.') : NULL;
    return second ? (size_t)(second - group) : strlen(group);
}

static bool same_group(const struct sheet_row *row, const struct sheet_row *other, size_t length)
{
    return row->section == other->section && strncmp(row->group, other->group, length) == 0 &&
           (!other->group[length] || other->group[length] == '.');
}

/* Does the column lack the whole group of the row, whose name has this length, with all its parts? */
static bool lacks(const struct sheet *sheet, unsigned row_index, size_t length, unsigned column)
{
    const struct sheet_row *row = &sheet->rows.item[row_index];
    unsigned first = row_index;
    if (sheet->columns.item[column].damaged)
        return false; /* it may have been lost */
    while (first > 0 && same_group(row, &sheet->rows.item[first - 1], length))
        first--;
    for (unsigned i = first; i < sheet->rows.count && same_group(row, &sheet->rows.item[i], length); i++) {
        sheet_text number = sheet_number(&sheet->rows.item[i], column);
        if (number && strcmp(sheet_text_of(sheet, number), SHEET_UNTOLD) != 0)
            return false;
    }
    return true;
}

/* The length of the group's name that some model lacks: a leaf, else a part of it; 0 if all models have some of it. */
static size_t lacking_length(const struct sheet *sheet, unsigned row_index, const struct kin *kin)
{
    const char *group = sheet->rows.item[row_index].group;
    const size_t length[2] = {leaf_length(group), strlen(group)};
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < kin->count; i++)
            if (lacks(sheet, row_index, length[k], kin->first[i]))
                return length[k];
    return 0;
}

/*
 * The reason of the first skip without the value that was read: "version 3 is needed" of "CPUID.0AH:EAX[7:0]=2: version
 * 3 is needed". All refusals of the write gate are one reason.
 */
static const char *skip_reason(const struct sheet *sheet, const struct sheet_row *row, const struct kin *kin)
{
    static const char gate[] = "the write gate does not let this be tried";
    for (unsigned i = 0; i < kin->count; i++) {
        const char *text = sheet_text_of(sheet, sheet_number(row, kin->first[i]));
        if (overview_outcome_of(text) != OVERVIEW_SKIP)
            continue;
        if (strstr(text, gate))
            return gate;
        return overview_reason(text);
    }
    return NULL;
}

static const char *known_reason(const struct sheet *sheet, const struct sheet_row *row)
{
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        const char *text = sheet_text_of(sheet, sheet_number(row, c));
        if (overview_outcome_of(text) == OVERVIEW_KNOWN)
            return strlen(text) > 7 ? text + 7 : "unnamed";
    }
    return NULL;
}

/* ---- Causes */

static struct overview_cause *need_cause(struct overview *overview, struct sheet *sheet, enum overview_class class,
                                         const char *text)
{
    for (unsigned i = 0; i < overview->causes.count; i++)
        if (overview->causes.item[i].class == class && strcmp(overview->causes.item[i].text, text) == 0)
            return &overview->causes.item[i];
    struct overview_cause *cause = LIST_ADD(&sheet->arena, &overview->causes);
    *cause = (struct overview_cause){class, text, "", "", "", {0}, {0}};
    return cause;
}

static void add_model(struct sheet *sheet, struct overview_cause *cause, unsigned model)
{
    for (unsigned i = 0; i < cause->models.count; i++)
        if (cause->models.item[i] == model)
            return;
    *LIST_ADD(&sheet->arena, &cause->models) = model;
}

/* Adds the models that skip the row's test, or lack its group. */
static void name_models(struct sheet *sheet, struct overview_cause *cause, unsigned row_index, const struct kin *kin,
                        size_t lacking)
{
    const struct sheet_row *row = &sheet->rows.item[row_index];
    for (unsigned i = 0; i < kin->count; i++) {
        const char *text = sheet_text_of(sheet, sheet_number(row, kin->first[i]));
        bool without =
            lacking ? lacks(sheet, row_index, lacking, kin->first[i]) : overview_outcome_of(text) == OVERVIEW_SKIP;
        if (without)
            add_model(sheet, cause, sheet->machines.item[sheet->columns.item[kin->first[i]].machine].model);
    }
}

static struct overview_cause *between_models(struct overview *overview, struct sheet *sheet, unsigned row_index,
                                             const struct kin *kin)
{
    static const char *const usual[SHEET_SECTIONS] = {"names, firmware and boards",
                                                      "CPUID and IA32_PERF_CAPABILITIES",
                                                      "tests with other outcomes",
                                                      "published errata of the models",
                                                      "bits that only some models have",
                                                      "values that firmware leaves in registers",
                                                      "measurements: clocks and pipelines differ"};
    const struct sheet_row *row = &sheet->rows.item[row_index];
    const char *reason = row->section == SHEET_RESULTS ? skip_reason(sheet, row, kin) : NULL, *text = NULL;
    bool grouped = row->section == SHEET_CAPABILITIES || row->section == SHEET_BITS;
    size_t lacking = grouped ? lacking_length(sheet, row_index, kin) : 0;
    if (reason)
        text = arena_print(&sheet->arena, "tests are skipped: %s", reason);
    else if (lacking)
        text = row->section == SHEET_BITS ? "registers that were not tried or do not exist"
                                          : arena_print(&sheet->arena, "no %.*s", (int)lacking, row->group);
    struct overview_cause *cause = need_cause(overview, sheet, OVERVIEW_EXPECTED, text ? text : usual[row->section]);
    if (reason || (lacking && row->section != SHEET_BITS))
        name_models(sheet, cause, row_index, kin, lacking);
    return cause;
}

static struct overview_cause *within_model(struct overview *overview, struct sheet *sheet, const struct sheet_row *row)
{
    static const char *const text[SHEET_SECTIONS] = {"machines of one model have other settings",
                                                     "machines of one model have other capabilities",
                                                     "machines of one model have other outcomes",
                                                     "published errata show on some machines of one model only",
                                                     "registers of one model behave differently when written",
                                                     "firmware hands over the PMU in another state",
                                                     ""};
    size_t kind = kind_of(row);
    const char *words = row->section == SHEET_IDENTITY || kinds[kind].noise
                            ? arena_print(&sheet->arena, "%s differs within a model", row->name)
                            : text[row->section];
    if (row->section == SHEET_HANDOFF && strcmp(row->group, "advice") == 0)
        words = "advice for only some machines of one model";
    if (row->section == SHEET_MEASURES)
        words = "measurements of equal machines: see the outliers";
    struct overview_cause *cause =
        need_cause(overview, sheet, kinds[kind].noise ? OVERVIEW_NOISE : OVERVIEW_MATTERS, words);
    cause->why = kinds[kind].why;
    cause->spec = kinds[kind].spec;
    cause->what_to_do = kinds[kind].what_to_do;
    return cause;
}

static struct overview_cause *of_erratum(struct overview *overview, struct sheet *sheet, const char *name)
{
    struct overview_cause *cause =
        need_cause(overview, sheet, OVERVIEW_MATTERS, arena_print(&sheet->arena, "erratum %s", name));
    cause->why = "a promise of the manual does not hold, as the maker's specification update says";
    cause->what_to_do = "look up the erratum's workaround; newer microcode may have it";
    return cause;
}

/* Failed tests and their labels are listed with the findings. */
static bool is_told(const struct sheet *sheet, const struct sheet_row *row)
{
    if (row->section != SHEET_RESULTS)
        return false;
    if (!row->group[0] || strncmp(row->name, "label ", 6) == 0)
        return true;
    for (unsigned c = 0; c < sheet->columns.count; c++)
        if (overview_outcome_of(sheet_text_of(sheet, sheet_number(row, c))) <= OVERVIEW_REVIEW)
            return true;
    return false; /* a result that one log lost may still differ between others */
}

static int gravest_first(const void *a, const void *b)
{
    const struct overview_cause *x = a, *y = b;
    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    if (x->rows.count != y->rows.count)
        return x->rows.count > y->rows.count ? -1 : 1;
    return strcmp(x->text, y->text);
}

void overview_find_causes(struct overview *overview, struct sheet *sheet)
{
    struct kin kin;
    find_kin(sheet, &kin);
    for (unsigned i = 0; i < sheet->rows.count; i++) {
        const struct sheet_row *row = &sheet->rows.item[i];
        if (!row->differs || is_told(sheet, row))
            continue;
        const char *erratum = row->section == SHEET_RESULTS ? known_reason(sheet, row) : NULL;
        struct overview_cause *cause = erratum                            ? of_erratum(overview, sheet, erratum)
                                       : differs_within(sheet, row, &kin) ? within_model(overview, sheet, row)
                                                                          : between_models(overview, sheet, i, &kin);
        *LIST_ADD(&sheet->arena, &cause->rows) = i;
    }
    LIST_SORT(overview->causes, gravest_first);
}
