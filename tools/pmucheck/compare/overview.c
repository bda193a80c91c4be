/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/compare/overview.h"
#include <stdlib.h>
#include <string.h>

/* ---- Words */

const char *overview_model(struct sheet *sheet, unsigned index)
{
    const struct sheet_model *model = &sheet->models.item[index];
    const char *pmu = strcmp(model->pmu, "hardware") == 0 ? "" : model->pmu;
    return arena_print(&sheet->arena, "%s, signature %s%s%s", model->brand[0] ? model->brand : "unnamed CPU",
                       model->signature[0] ? model->signature : "unknown", pmu[0] ? ", " : "", pmu);
}

static bool is_about(const struct overview_cause *cause, unsigned model)
{
    for (unsigned i = 0; i < cause->models.count; i++)
        if (cause->models.item[i] == model)
            return true;
    return false;
}

#define MODELS_NAMED 4

/* Models are named by a machine, unless they have several. */
static const char *model_names(struct sheet *sheet, const unsigned *model, unsigned count)
{
    bool each = sheet->machines.count == sheet->models.count;
    const char *text = "";
    for (unsigned i = 0; i < count && i < MODELS_NAMED; i++)
        text = arena_join(&sheet->arena, text, ", ",
                          each ? sheet->machines.item[sheet->models.item[model[i]].first].name
                               : overview_short(&sheet->arena, sheet, model[i]));
    return count > MODELS_NAMED ? arena_print(&sheet->arena, "%s and %u more", text, count - MODELS_NAMED) : text;
}

const char *overview_about(struct sheet *sheet, const struct overview_cause *cause)
{
    if (!cause->models.count || cause->class != OVERVIEW_EXPECTED)
        return "";
    bool most = 2 * cause->models.count > sheet->models.count;
    unsigned *model = arena_alloc(&sheet->arena, (sheet->models.count + 1) * sizeof(*model)), count = 0;
    for (unsigned i = 0; i < sheet->models.count; i++)
        if (is_about(cause, i) != most)
            model[count++] = i;
    if (!count)
        return ""; /* all models have some part of it */
    return arena_print(&sheet->arena, "%s%s", most ? ", but for " : ", for ", model_names(sheet, model, count));
}

/* ---- Models and chapters */

static unsigned chapter_of(struct overview *overview, struct sheet *sheet, const char *test)
{
    size_t length = strcspn(test, ".");
    for (unsigned i = 0; i < overview->chapters.count; i++)
        if (strlen(overview->chapters.item[i]) == length && strncmp(overview->chapters.item[i], test, length) == 0)
            return i;
    *LIST_ADD(&sheet->arena, &overview->chapters) = arena_copy(&sheet->arena, test, length);
    return overview->chapters.count - 1;
}

static bool tells_outcomes(const struct sheet_row *row)
{
    return row->section == SHEET_RESULTS && row->group[0] && strcmp(row->name, "outcome") == 0;
}

static enum overview_outcome outcome_on(const struct sheet *sheet, const struct sheet_row *row, unsigned machine)
{
    const struct sheet_machine *m = &sheet->machines.item[machine];
    return overview_outcome_of(sheet_text_of(sheet, sheet_number(row, m->first)));
}

unsigned overview_count(const struct overview *overview, unsigned model, unsigned chapter,
                        enum overview_outcome outcome)
{
    return overview->cell[(model * overview->chapters.count + chapter) * OVERVIEW_OUTCOMES + outcome];
}

static void fill_matrix(struct overview *overview, struct sheet *sheet)
{
    for (unsigned i = 0; i < sheet->rows.count; i++)
        if (tells_outcomes(&sheet->rows.item[i]))
            chapter_of(overview, sheet, sheet->rows.item[i].group);
    unsigned chapters = overview->chapters.count, machines = sheet->machines.count;
    unsigned char *worst = arena_alloc(&sheet->arena, (size_t)machines * chapters + 1);
    memset(worst, OVERVIEW_NONE, (size_t)machines * chapters + 1);
    for_each_item (sheet->rows, row) {
        if (!tells_outcomes(row))
            continue;
        unsigned chapter = chapter_of(overview, sheet, row->group);
        for (unsigned m = 0; m < machines; m++) {
            enum overview_outcome outcome = outcome_on(sheet, row, m);
            unsigned char *cell = &worst[(size_t)m * chapters + chapter];
            *cell = outcome < *cell ? (unsigned char)outcome : *cell;
        }
    }
    overview->cell =
        arena_alloc(&sheet->arena, ((size_t)sheet->models.count * chapters * OVERVIEW_OUTCOMES + 1) * sizeof(unsigned));
    for (unsigned m = 0; m < machines; m++)
        for (unsigned c = 0; c < chapters; c++) {
            unsigned outcome = worst[(size_t)m * chapters + c], model = sheet->machines.item[m].model;
            if (outcome < OVERVIEW_OUTCOMES)
                overview->cell[(model * chapters + c) * OVERVIEW_OUTCOMES + outcome]++;
        }
}

/* ---- Findings */

/* Sets the label of the most severe check that failed on these machines, and the other labels. */
static void name_checks(struct overview_finding *finding, struct sheet *sheet, unsigned first, unsigned end)
{
    for (unsigned i = first; i < end; i++) {
        const struct sheet_row *row = &sheet->rows.item[i];
        unsigned column = sheet->machines.item[finding->machines.item[0]].first, kinds = 0;
        if (row->section != SHEET_RESULTS || strncmp(row->name, "label ", 6) != 0)
            continue;
        for (; kinds < sheet->machines.item[finding->machines.item[0]].kinds; kinds++)
            if (sheet_number(row, column + kinds))
                break;
        const char *text = sheet_text_of(sheet, sheet_number(row, column + kinds)), *label = row->name + 6;
        if (kinds == sheet->machines.item[finding->machines.item[0]].kinds || !text)
            continue;
        const struct severity_row *severity = severity_of(finding->test, label);
        if (!finding->label[0] || severity->severity < finding->severity) {
            if (finding->label[0])
                finding->others = arena_join(&sheet->arena, finding->others, ", ", finding->label);
            finding->label = label;
            finding->detail = text;
            finding->severity = severity->severity;
            finding->why = severity->why;
            finding->what_to_do = severity->what_to_do;
        } else {
            finding->others = arena_join(&sheet->arena, finding->others, ", ", label);
        }
    }
    const struct sheet_promise *promise = sheet_promise(sheet, finding->test, finding->label);
    finding->title = promise ? promise->title : "";
    finding->spec = promise ? promise->spec : "";
}

static const char *reason_in(const char *text)
{
    const char *colon = text ? strstr(text, ": ") : NULL;
    return colon ? colon + 2 : "";
}

/* A result that an erratum excuses is no failure, and is listed with its cause. */
static bool is_finding(enum overview_outcome outcome)
{
    return outcome <= OVERVIEW_LOST;
}

/* Without a result nothing is known about the promise, which is nobody's failure. */
static const char *const unknown[2][2] = {
    {"the test could not do its work: nothing is known about its promise",
     "pmucheck report shows what went wrong; test again"},
    {"the log has no result: lines are lost, or it ends before; that is no difference to other machines",
     "check the serial line and the machine, and test again"}};

static void find_of(struct overview *overview, struct sheet *sheet, unsigned row_index, unsigned end)
{
    const struct sheet_row *row = &sheet->rows.item[row_index];
    for (unsigned outcome = 0; is_finding((enum overview_outcome)outcome); outcome++) {
        struct overview_finding finding = {.test = row->group, .outcome = (enum overview_outcome)outcome};
        for (unsigned m = 0; m < sheet->machines.count; m++)
            if (outcome_on(sheet, row, m) == outcome)
                *LIST_ADD(&sheet->arena, &finding.machines) = m;
        if (!finding.machines.count)
            continue;
        const struct severity_row *severity = severity_of(finding.test, "");
        finding.label = finding.others = "";
        finding.severity = severity->severity;
        finding.why = severity->why;
        finding.what_to_do = severity->what_to_do;
        if (outcome == OVERVIEW_ERROR || outcome == OVERVIEW_LOST) {
            finding.severity = SEVERITY_MEDIUM;
            finding.why = unknown[outcome == OVERVIEW_LOST][0];
            finding.what_to_do = unknown[outcome == OVERVIEW_LOST][1];
        }
        finding.detail =
            reason_in(sheet_text_of(sheet, sheet_number(row, sheet->machines.item[finding.machines.item[0]].first)));
        name_checks(&finding, sheet, row_index, end);
        overview_ask_equals(sheet, &finding, row);
        *LIST_ADD(&sheet->arena, &overview->findings) = finding;
    }
}

static int worst_first(const void *a, const void *b)
{
    const struct overview_finding *x = a, *y = b;
    if (x->outcome != y->outcome)
        return x->outcome < y->outcome ? -1 : 1;
    if (x->severity != y->severity)
        return x->severity < y->severity ? -1 : 1;
    if (x->machines.count != y->machines.count)
        return x->machines.count > y->machines.count ? -1 : 1;
    int order = x->outcome == OVERVIEW_LOST
                    ? memcmp(x->machines.item, y->machines.item, x->machines.count * sizeof(*x->machines.item))
                    : 0;
    return order ? order : strcmp(x->test, y->test);
}

static bool same_machines(const struct overview_finding *a, const struct overview_finding *b)
{
    return a->machines.count == b->machines.count &&
           memcmp(a->machines.item, b->machines.item, a->machines.count * sizeof(*a->machines.item)) == 0;
}

/* Joins the findings that the same logs have lost: a cut log lacks all tests after some place. They are the last
 * ones. */
static void join_lost(struct overview *overview, struct sheet *sheet)
{
    unsigned kept = 0, more = 0;
    for_each_item (overview->findings, f) {
        struct overview_finding *last = kept ? &overview->findings.item[kept - 1] : NULL;
        if (f->outcome == OVERVIEW_LOST && last && last->outcome == OVERVIEW_LOST && same_machines(f, last)) {
            more++;
            last->others = arena_print(&sheet->arena, "%u test%s more", more, more == 1 ? "" : "s");
            continue;
        }
        more = 0;
        overview->findings.item[kept++] = *f;
    }
    overview->findings.count = kept;
}

/* The rows of a test are neighbours; only labels may stand before the outcome's row. */
static void find_findings(struct overview *overview, struct sheet *sheet)
{
    for (unsigned i = 0, next; i < sheet->rows.count; i = next) {
        const struct sheet_row *row = &sheet->rows.item[i];
        for (next = i + 1; next < sheet->rows.count && sheet->rows.item[next].section == row->section &&
                           strcmp(sheet->rows.item[next].group, row->group) == 0;)
            next++;
        for (unsigned k = i; k < next; k++)
            if (tells_outcomes(&sheet->rows.item[k]))
                find_of(overview, sheet, k, next);
    }
    LIST_SORT(overview->findings, worst_first);
    join_lost(overview, sheet);
}

/* ---- Order */

static const struct sheet *being_sorted;

static unsigned worst_of(const struct sheet_model *model)
{
    for (unsigned v = 0; v < SHEET_VERDICTS; v++)
        if (model->verdict[v])
            return v;
    return SHEET_PASS;
}

static int worst_model_first(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    unsigned p = worst_of(&being_sorted->models.item[x]), q = worst_of(&being_sorted->models.item[y]);
    return p != q ? (p < q ? -1 : 1) : (x < y ? -1 : x > y);
}

static void order_models(struct overview *overview, struct sheet *sheet)
{
    unsigned count = sheet->models.count;
    overview->order = arena_alloc(&sheet->arena, (count + 1) * sizeof(unsigned));
    for (unsigned i = 0; i < count; i++)
        overview->order[i] = i;
    being_sorted = sheet;
    if (count)
        qsort(overview->order, count, sizeof(unsigned), worst_model_first);
}

void overview_make(struct overview *overview, struct sheet *sheet)
{
    memset(overview, 0, sizeof(*overview));
    order_models(overview, sheet);
    fill_matrix(overview, sheet);
    find_findings(overview, sheet);
    overview_find_causes(overview, sheet);
}
