/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The report as JSON. `pmucheck report --help` describes the schema, "pmucheck-report-1". Values of the log stay
 * strings in the log's spelling; the reader's own counts are numbers.
 */
#include "tools/json.h"
#include "tools/docs/errata_table.h"
#include "tools/pmucheck/log/severity.h"
#include "tools/pmucheck/log/told.h"
#include "tools/pmucheck/report/report.h"
#include <stdlib.h>
#include <string.h>

static const char *const trust_name[] = {"checked", "unchecked", "damaged"};

static json_object *fields_of(const struct log_record *record)
{
    json_object *object = json_object_new_object();
    for (unsigned i = 0; i < record->fields; i++)
        if (!json_object_object_get_ex(object, record->field[i].key, NULL))
            json_add_text(object, record->field[i].key, record->field[i].value);
    return object;
}

static json_object *record_of(const struct log_record *record)
{
    json_object *object = json_object_new_object();
    json_add_text(object, "kind", record->kind);
    json_add_text(object, "subject", record->subject);
    json_add_number(object, "line", record->line);
    json_object_object_add(object, "fields", fields_of(record));
    return object;
}

static json_object *records_of(const struct log_boot *boot, unsigned first, unsigned count)
{
    json_object *array = json_object_new_array();
    for (unsigned i = 0; i < count && first + i < boot->records.count; i++)
        json_object_array_add(array, record_of(&boot->records.item[first + i]));
    return array;
}

static enum severity worst_of(const struct log_boot *boot, const struct log_result *result)
{
    enum severity worst = SEVERITIES;
    for_each_record (boot, result, r)
        if (log_is(r, "fail") && log_value(r, "label")) {
            enum severity severity = severity_of(result->id, log_value(r, "label"))->severity;
            worst = severity < worst ? severity : worst;
        }
    return worst < SEVERITIES ? worst : severity_of(result->id, "")->severity;
}

/* Leaves the field out if the log has no value. */
static void add_took(json_object *object, const struct log_boot *boot, const struct log_run *run,
                     const struct log_result *result)
{
    uint64_t us;
    if (facts_took(boot, run, result, &us))
        json_add_number(object, "us", (double)us);
}

static json_object *result_of(const struct log_boot *boot, const struct log_result *result)
{
    json_object *object = json_object_new_object();
    json_add_number(object, "number", result->number);
    json_add_text(object, "id", result->id);
    json_add_text(object, "outcome", log_outcome_name[result->outcome]);
    json_add_text(object, "reason", result->reason);
    add_took(object, boot, NULL, result);
    json_add_text(object, "trust", trust_name[result->trust]);
    json_add_number(object, "line", result->line);
    if (result->outcome == LOG_FAIL || result->outcome == LOG_REVIEW)
        json_add_text(object, "severity", severity_name[worst_of(boot, result)]);
    json_object_object_add(object, "records", records_of(boot, result->first_record, result->records));
    return object;
}

/* The run's CPUs, which on the reference PMU are not the machine's. */
static void add_identity(json_object *object, const struct log_boot *boot, const struct log_run *run)
{
    struct arena arena = {0};
    struct facts facts;
    facts_read(&arena, boot, run, &facts);
    json_add_text(object, "machine", log_word(facts.machine, "name"));
    json_add_text(object, "brand", facts.brand);
    json_add_text(object, "signature", facts.signature);
    json_add_text(object, "microcode", facts.microcode);
    json_add_text(object, "threads_per_core", facts.threads);
    json_object *cores = json_add_array(object, "cores");
    for (unsigned i = 0; i < facts.cores.count; i++) {
        json_object *core = json_add_item(cores);
        json_add_text(core, "kind", facts.cores.item[i].kind);
        json_add_text(core, "cpus", facts.cores.item[i].cpus);
    }
    arena_free(&arena);
}

static void add_totals(json_object *object, const struct log_run *run)
{
    unsigned count[LOG_OUTCOMES + 1];
    json_object *totals = json_add_object(object, "totals");
    log_tally(run, count);
    for (unsigned i = 0; i <= LOG_OUTCOMES; i++)
        json_add_number(totals, log_outcome_name[i], count[i]);
}

/* The run's lines of a kind, by their subject. */
static void add_lines(json_object *object, const struct log_boot *boot, const struct log_run *run, const char *kind,
                      const char *name)
{
    json_object *array = json_add_array(object, name);
    for_each_record_of_run (boot, run, r) {
        if (strcmp(r->kind, kind) != 0)
            continue;
        json_object *line = fields_of(r);
        const struct errata_row *erratum = errata_row_of(r->subject);
        json_add_text(line, "id", r->subject);
        if (erratum)
            json_add_text(line, "what", erratum->what);
        json_object_array_add(array, line);
    }
}

static json_object *run_of(const struct log_boot *boot, const struct log_run *run)
{
    json_object *object = json_object_new_object(), *results = json_add_array(object, "results");
    if (run->pmu)
        json_add_text(object, "pmu", run->pmu);
    else
        json_object_object_add(object, "pmu", NULL);
    if (run->pmu)
        add_identity(object, boot, run);
    if (run->half)
        json_add_text(object, "update", run->half);
    json_add_text(object, "verdict", log_run_verdict(boot, run));
    add_totals(object, run);
    if (run->pmu)
        add_took(object, boot, run, NULL);
    json_add_number(object, "plan", run->planned ? run->plan : run->results.count);
    json_object_object_add(object, "records", records_of(boot, run->first_record, run->records));
    for_each_item (run->results, result)
        json_object_array_add(results, result_of(boot, result));
    if (run->pmu) {
        add_lines(object, boot, run, "erratum", "errata");
        add_lines(object, boot, run, "good-for", "good_for");
        add_lines(object, boot, run, "good-for-fact", "good_for_facts");
        add_lines(object, boot, run, "state", "states");
        add_lines(object, boot, run, "state-differs", "state_differences");
    }
    return object;
}

/* ---- Warm resets and microcode of a start; left out if the log has none */

static json_object *list_of(const struct log_record *const *records, unsigned count)
{
    json_object *array = json_object_new_array();
    for (unsigned i = 0; i < count; i++)
        json_object_array_add(array, fields_of(records[i]));
    return array;
}

static void add_resets(json_object *object, const struct log_boot *boot)
{
    struct arena arena = {0};
    struct told_resets resets;
    if (told_resets(&arena, boot, &resets)) {
        json_object *told = resets.refused ? fields_of(resets.refused) : json_object_new_object(),
                    *ways = json_add_array(told, "ways");
        for (unsigned i = 0; i < resets.ways; i++)
            json_object_array_add(ways, fields_of(resets.way[i].record));
        json_object_object_add(told, "differences", list_of(resets.differences.item, resets.differences.count));
        json_object_object_add(object, "resets", told);
    }
    if (boot->left)
        json_object_object_add(object, log_is(boot->left, "host") ? "ended_by_host" : "ended_by_reset",
                               fields_of(boot->left));
    arena_free(&arena);
}

static void add_microcode(json_object *object, const struct log_boot *boot)
{
    struct arena arena = {0};
    struct told_microcode microcode;
    if (told_microcode(&arena, boot, &microcode)) {
        json_object *told = json_add_object(object, "microcode"), *updates = json_add_array(told, "updates");
        for_each_item (microcode.updates, update)
            json_object_array_add(updates, fields_of(update->record));
        json_object_object_add(told, "changed", list_of(microcode.changed.item, microcode.changed.count));
        if (microcode.changes)
            json_object_object_add(told, "changes", fields_of(microcode.changes));
    }
    arena_free(&arena);
}

static void add_proven(json_object *object, const struct log_boot *boot)
{
    const struct log_record *proven = log_find(boot, NULL, "proven-here");
    if (!proven)
        return;
    json_object *told = fields_of(proven), *not_proven = json_add_array(told, "not_proven");
    json_object_object_add(object, "proven_here", told);
    for_each_item (boot->records, r)
        if (log_is(r, "not-proven-here"))
            json_object_array_add(not_proven, record_of(r));
}

static json_object *problems_of(const struct log_boot *boot)
{
    json_object *array = json_object_new_array();
    for_each_item (boot->problems, problem) {
        json_object *object = json_add_item(array);
        json_add_number(object, "line", problem->line);
        json_add_text(object, "text", problem->text);
    }
    return array;
}

static json_object *boot_of(const struct log_file *file, const struct log_boot *boot, const struct image *image)
{
    json_object *object = json_object_new_object();
    struct arena arena = {0};
    json_add_text(object, "file", file->path);
    json_add_number(object, "line", boot->line);
    json_add_text(object, "version", boot->version);
    json_add_text(object, "commit", boot->commit);
    json_add_text(object, "sum", boot->sum);
    if (image && image->kernels && boot->sum[0])
        json_add_bool(object, "of_image", image_has(image, boot->sum));
    json_add_text(object, "verdict", boot->verdict);
    json_add_text(object, "code", boot->code);
    if (facts_date(boot))
        json_add_text(object, "date", facts_date(boot));
    json_add_text(object, "options", facts_options(&arena, boot));
    arena_free(&arena);
    add_took(object, boot, NULL, NULL);
    json_add_bool(object, "complete", boot->problems.count == 0 && (boot->ended || boot->left));
    json_add_number(object, "status", log_boot_status(boot));
    json_object *totals = json_add_object(object, "totals");
    for (unsigned i = 0; i < LOG_OUTCOMES; i++)
        json_add_number(totals, log_outcome_name[i], boot->end_total[i]);
    const struct log_record *machine = log_find(boot, NULL, "machine");
    json_object_object_add(object, "machine", machine ? fields_of(machine) : json_object_new_object());
    add_resets(object, boot);
    add_microcode(object, boot);
    add_proven(object, boot);
    unsigned before = boot->runs.count ? boot->runs.item[0].first_record : boot->records.count;
    json_object_object_add(object, "records", records_of(boot, 0, before));
    json_object *runs = json_add_array(object, "runs");
    for_each_item (boot->runs, run)
        json_object_array_add(runs, run_of(boot, run));
    json_object_object_add(object, "problems", problems_of(boot));
    return object;
}

void report_json_begin(struct report *report)
{
    fprintf(report->out, "{\n\t\"schema\": \"pmucheck-report-1\",\n\t\"boots\": [");
}

void report_json(struct report *report, const struct log_file *file)
{
    for (unsigned b = 0; b < file->boots.count; b++) {
        fputs(report->logs + b ? ",\n" : "\n", report->out);
        put_json(report->out, boot_of(file, &file->boots.item[b], report->image), true);
    }
}

void report_json_end(struct report *report)
{
    fprintf(report->out, "\n]}\n");
}
