/* What a column's tests told: outcomes and failed checks, hand-off, measurements. */
#include "tools/pmucheck/compare/sheet.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *value_or(const struct log_record *r, const char *key, const char *otherwise)
{
    const char *value = log_value(r, key);
    return value ? value : otherwise;
}

/* ---- Measurements */

static struct sheet_measure *read_measure(struct arena *arena, const struct log_record *r)
{
    struct sheet_measure *m = arena_alloc(arena, sizeof(*m));
    m->min = strtod(value_or(r, "min", "0"), NULL);
    m->median = strtod(value_or(r, "median", "0"), NULL);
    m->p99 = strtod(value_or(r, "p99", "0"), NULL);
    m->max = strtod(value_or(r, "max", "0"), NULL);
    m->histogram = value_or(r, "hist", "");
    return m;
}

static void fill_measure(struct sheet *sheet, unsigned column, const struct log_record *r)
{
    struct arena *arena = &sheet->arena;
    const char *name = arena_print(arena, "%s [%s]", value_or(r, "name", "?"), value_or(r, "unit", "?"));
    struct sheet_measure *m = read_measure(arena, r);
    const char *text = m->min == m->max ? arena_print(arena, "%.0f", m->median)
                                        : arena_print(arena, "%.0f (%.0f to %.0f)", m->median, m->min, m->max);
    sheet_set(sheet, column, SHEET_MEASURES, r->subject, name, "%s", text);
    struct sheet_cell *cell = sheet_cell(sheet, column, SHEET_MEASURES, r->subject, name);
    if (!cell->measure)
        cell->measure = m;
}

/* ---- Hand-off */

static void fill_handoff(struct sheet *sheet, unsigned column, const struct log_record *r)
{
    const char *reg = log_value(r, "reg");
    if (reg) {
        sheet_set(sheet, column, SHEET_HANDOFF, reg, "found", "%s", value_or(r, "found", "?"));
        if (log_value(r, "means"))
            sheet_set(sheet, column, SHEET_HANDOFF, reg, "means", "%s", log_value(r, "means"));
        return;
    }
    for (unsigned i = 0; i < r->fields; i++)
        sheet_set(sheet, column, SHEET_HANDOFF, "machine", r->field[i].key, "%s", r->field[i].value);
}

/* "# found": registers that did not hold 0. */
static void fill_found(struct sheet *sheet, unsigned column, const struct log_record *r)
{
    for (unsigned i = 0; i < r->fields; i++)
        if (strcmp(r->field[i].key, "cpus") != 0)
            sheet_set(sheet, column, SHEET_HANDOFF, r->field[i].key, "found", "%s", r->field[i].value);
}

/* ---- Results */

static void fill_failure(struct sheet *sheet, unsigned column, const struct log_record *r)
{
    const char *label = log_value(r, "label"), *reg = log_value(r, "reg");
    const char *name = arena_print(&sheet->arena, "label %s", label ? label : "?");
    sheet_set(sheet, column, SHEET_RESULTS, r->subject, name, "%s%s%s: got %s, want %s", r->kind, reg ? " " : "",
              reg ? reg : "", value_or(r, "got", "?"), value_or(r, "want", "?"));
}

static void fill_record(struct sheet *sheet, unsigned column, const struct log_record *r)
{
    if (!sheet_about(&sheet->columns.item[column], log_value(r, "cpus")))
        return;
    if (strcmp(r->kind, "measure") == 0)
        fill_measure(sheet, column, r);
    else if (strcmp(r->kind, "bits") == 0)
        sheet_fill_bits(sheet, column, r);
    else if (strcmp(r->kind, "handoff") == 0)
        fill_handoff(sheet, column, r);
    else if (strcmp(r->kind, "fail") == 0 || strcmp(r->kind, "differs") == 0)
        fill_failure(sheet, column, r);
    else if (strcmp(r->kind, "advice") == 0)
        sheet_set(sheet, column, SHEET_HANDOFF, "advice", r->subject, "%s", value_or(r, "text", r->text));
    else if (strcmp(r->kind, "soak") == 0 && log_value(r, "test"))
        sheet_set(sheet, column, SHEET_RESULTS, log_value(r, "test"), "soak failures", "%s",
                  value_or(r, "failures", "?"));
    else if (strcmp(r->kind, "fingerprint") == 0)
        sheet_set(sheet, column, SHEET_BITS, "fingerprint", value_or(r, "of", "?"), "%s", value_or(r, "crc32", "?"));
}

void sheet_fill_results(struct sheet *sheet, unsigned column)
{
    const struct log_boot *boot = sheet->columns.item[column].facts.boot;
    const struct log_run *run = sheet->columns.item[column].facts.run;
    sheet_set(sheet, column, SHEET_RESULTS, "", "verdict", "%s%s", log_run_verdict(boot, run),
              boot->ended ? "" : ", no END line");
    if (boot->problems.count)
        sheet_set(sheet, column, SHEET_RESULTS, "", "log", "line %u: %s", boot->problems.item[0].line,
                  boot->problems.item[0].text);
    for_each_record (boot, run, r)
        if (strcmp(r->kind, "found") == 0 && sheet_about(&sheet->columns.item[column], log_value(r, "cpus")))
            fill_found(sheet, column, r);
    for (unsigned i = 0; i < run->results.count; i++) {
        const struct log_result *result = &run->results.item[i];
        bool untold = sheet->columns.item[column].partial && result->outcome == LOG_SKIP;
        bool explained = result->reason[0] && result->outcome != LOG_PASS && !untold;
        if (result->id[0])
            sheet_set(sheet, column, SHEET_RESULTS, result->id, "outcome", "%s%s%s", log_outcome_name[result->outcome],
                      explained ? ": " : "", explained ? result->reason : "");
        for_each_record (boot, result, r)
            fill_record(sheet, column, r);
    }
}
