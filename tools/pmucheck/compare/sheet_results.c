/* SPDX-License-Identifier: BSD-2-Clause */
/* The results of a column: outcomes and failed checks, hand-off, measurements. */
#include "tools/docs/errata_table.h"
#include "tools/pmucheck/compare/sheet.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Measurements */

static double number(const struct log_record *r, const char *key)
{
    return strtod(log_value_or(r, key, "0"), NULL);
}

static void fill_measure(struct sheet *sheet, const struct sheet_source *from, const struct log_record *r)
{
    const char *name = arena_print(from->arena, "%s [%s]", log_value_or(r, "name", "?"), log_value_or(r, "unit", "?"));
    struct sheet_measure m = {
        .min = number(r, "min"), .median = number(r, "median"), .p99 = number(r, "p99"), .max = number(r, "max")};
    if (sheet->column < SHEET_PLOTTED)
        m.histogram = sheet_intern(sheet, log_word(r, "hist"));
    sheet_set_measure(sheet, r->subject, name, &m);
}

/* ---- Hand-off */

static void fill_handoff(struct sheet *sheet, const struct log_record *r)
{
    const char *reg = log_value(r, "reg");
    if (reg) {
        sheet_put(sheet, SHEET_HANDOFF, reg, "found", log_value_or(r, "found", "?"));
        if (log_value(r, "means"))
            sheet_put(sheet, SHEET_HANDOFF, reg, "means", log_value(r, "means"));
        return;
    }
    for (unsigned i = 0; i < r->fields; i++)
        sheet_put(sheet, SHEET_HANDOFF, "machine", r->field[i].key, r->field[i].value);
}

/* "# found": registers that did not hold 0. */
static void fill_found(struct sheet *sheet, const struct log_record *r)
{
    for (unsigned i = 0; i < r->fields; i++)
        if (strcmp(r->field[i].key, "cpus") != 0)
            sheet_put(sheet, SHEET_HANDOFF, r->field[i].key, "found", r->field[i].value);
}

/* ---- Results */

/* Keeps the manual's promise of a failed check, for the findings. */
static void keep_promise(struct sheet *sheet, const char *test, const char *label, const struct log_record *r)
{
    if (sheet_promise(sheet, test, label))
        return;
    *LIST_ADD(&sheet->arena, &sheet->promises) =
        (struct sheet_promise){sheet_keep(sheet, test), sheet_keep(sheet, label),
                               sheet_keep(sheet, log_value(r, "title")), sheet_keep(sheet, log_value(r, "spec"))};
}

const struct sheet_promise *sheet_promise(const struct sheet *sheet, const char *test, const char *label)
{
    for_each_item (sheet->promises, promise)
        if (strcmp(promise->test, test) == 0 && strcmp(promise->label, label) == 0)
            return promise;
    return NULL;
}

static void fill_failure(struct sheet *sheet, const struct sheet_source *from, const struct log_record *r)
{
    const char *label = log_value_or(r, "label", "?"), *reg = log_value(r, "reg");
    const char *name = arena_print(from->arena, "label %s", label);
    keep_promise(sheet, r->subject, label, r);
    sheet_set(sheet, SHEET_RESULTS, r->subject, name, "%s%s%s: got %s, want %s", r->kind, reg ? " " : "",
              reg ? reg : "", log_value_or(r, "got", "?"), log_value_or(r, "want", "?"));
}

static void fill_record(struct sheet *sheet, const struct sheet_source *from, const struct log_record *r)
{
    if (log_is(r, "bits"))
        sheet_fill_bits(sheet, from, r);
    else if (log_is(r, "handoff"))
        fill_handoff(sheet, r);
    else if (log_is_difference(r))
        fill_failure(sheet, from, r);
    else if (log_is(r, "advice"))
        sheet_put(sheet, SHEET_HANDOFF, "advice", r->subject, log_value_or(r, "text", r->text));
    else if (log_is(r, "soak") && log_value(r, "test"))
        sheet_put(sheet, SHEET_RESULTS, log_value(r, "test"), "soak failures", log_value_or(r, "failures", "?"));
    else if (log_is(r, "fingerprint"))
        sheet_put(sheet, SHEET_BITS, "fingerprint", log_value_or(r, "of", "?"), log_value_or(r, "crc32", "?"));
}

static void repeat_record(struct sheet *sheet, const struct sheet_source *from, const struct log_record *r)
{
    if (!sheet_about(from, log_value(r, "cpus")))
        return;
    if (log_is(r, "measure")) {
        fill_measure(sheet, from, r);
    } else if (!sheet_repeat(sheet, r->text, strlen(r->text))) {
        fill_record(sheet, from, r);
        sheet_repeated(sheet);
    }
}

/* The CPU's choices that random walks have shown, where the manual leaves it free. */
static void fill_choices(struct sheet *sheet, const struct sheet_source *from, const struct log_result *walks)
{
    const char *all = "";
    for_each_record (from->facts->boot, walks, r)
        if (log_is(r, "lockstep") && log_value(r, "choice") && sheet_about(from, log_value(r, "cpus")))
            all = arena_join(from->arena, all, ", ", log_value(r, "choice"));
    if (all[0] || !sheet->columns.item[sheet->column].partial) /* photos may lack them */
        sheet_put(sheet, SHEET_RESULTS, walks->id, "choices", all[0] ? all : "none");
}

static void fill_result(struct sheet *sheet, const struct sheet_source *from, const struct log_result *result)
{
    bool open = result->outcome == LOG_SKIP || result->outcome == LOG_REVIEW;
    bool untold = sheet->columns.item[sheet->column].partial && open;
    bool explained = result->reason[0] && result->outcome != LOG_PASS && !untold;
    if (result->id[0])
        sheet_put(sheet, SHEET_RESULTS, result->id, "outcome",
                  explained ? arena_print(from->arena, "%s: %s", log_outcome_name[result->outcome], result->reason)
                            : log_outcome_name[result->outcome]);
    for_each_record (from->facts->boot, result, r)
        repeat_record(sheet, from, r);
    if (strcmp(result->id, "lockstep") == 0 && result->outcome != LOG_SKIP && result->outcome != LOG_LOST)
        fill_choices(sheet, from, result);
}

/* The state of an erratum, to compare steppings or microcode; its rate differs between equal machines. */
static void fill_erratum(struct sheet *sheet, const struct sheet_source *from, const struct told_erratum *e)
{
    const struct errata_row *row = errata_row_of(e->number);
    const char *name = arena_print(from->arena, "%s%s%s", e->number, row ? " " : "", row ? row->what : "");
    sheet_set(sheet, SHEET_ERRATA, e->area, name, "%s%s%s", e->word, e->because[0] ? ": " : "", e->because);
    sheet_errata_add(sheet, from, e);
}

/* ---- Warm resets, which are in the log before the runs. The number made is an option's, and is left out. */

static void fill_resets(struct sheet *sheet, const struct sheet_source *from)
{
    struct told_resets resets;
    told_resets(from->arena, from->facts->boot, &resets);
    sheet->columns.item[sheet->column].resets = resets.ways || resets.differences.count;
    for (unsigned i = 0; i < resets.ways; i++)
        sheet_set(sheet, SHEET_HANDOFF, SHEET_RESETS, resets.way[i].way, "%s%s", resets.way[i].state,
                  resets.way[i].differences ? ", with differences" : "");
    for (unsigned i = 0; i < resets.differences.count; i++) {
        const struct log_record *r = resets.differences.item[i];
        if (sheet_about(from, log_value(r, "cpu")))
            sheet_set(sheet, SHEET_HANDOFF, SHEET_RESETS,
                      arena_print(from->arena, "%s: %s, CPU %s", log_value_or(r, "way", "?"),
                                  log_value_or(r, "reg", "?"), log_value_or(r, "cpu", "?")),
                      "%s, not %s", log_value_or(r, "now", "?"), log_value_or(r, "first", "?"));
    }
}

void sheet_fill_results(struct sheet *sheet, const struct sheet_source *from)
{
    const struct log_boot *boot = from->facts->boot;
    const struct log_run *run = from->facts->run;
    char known[24] = "";
    unsigned excused = sheet->machines.item[sheet->columns.item[sheet->column].machine].known;
    if (excused && strcmp(log_run_verdict(boot, run), "pass") == 0)
        snprintf(known, sizeof(known), " (%u known)", excused);
    sheet_set(sheet, SHEET_RESULTS, "", "verdict", "%s%s%s", log_run_verdict(boot, run), known,
              boot->ended ? "" : ", no END line");
    if (boot->problems.count)
        sheet_set(sheet, SHEET_RESULTS, "", "log", "line %u: %s", boot->problems.item[0].line,
                  boot->problems.item[0].text);
    for_each_record (boot, run, r)
        if (log_is(r, "found") && sheet_about(from, log_value(r, "cpus")))
            fill_found(sheet, r);
    for_each_item (run->results, result)
        fill_result(sheet, from, result);
    struct told_erratum erratum;
    for_each_record_of_run (boot, run, r)
        if (told_erratum(r, &erratum) && sheet_about(from, log_value(r, "core-type")))
            fill_erratum(sheet, from, &erratum);
        else if (log_is(r, "good-for"))
            sheet_put(sheet, SHEET_RESULTS, "good for", log_value_or(r, "words", r->subject),
                      told_use_words(from->arena, r));
    fill_resets(sheet, from);
}
