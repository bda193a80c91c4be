/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The report as JSON. `pmucheck report --help` describes the schema, "pmucheck-report-1". Values of the log stay
 * strings in the log's spelling; the reader's own counts are numbers.
 */
#include "tools/docs/errata_table.h"
#include "tools/pmucheck/log/severity.h"
#include "tools/pmucheck/log/told.h"
#include "tools/pmucheck/report/report.h"
#include "tools/put.h"
#include <stdlib.h>
#include <string.h>

static const char *const trust_name[] = {"checked", "unchecked", "damaged"};

static cJSON *fields_of(const struct log_record *record)
{
    cJSON *object = cJSON_CreateObject();
    for (unsigned i = 0; i < record->fields; i++)
        if (!cJSON_HasObjectItem(object, record->field[i].key))
            cJSON_AddStringToObject(object, record->field[i].key, record->field[i].value);
    return object;
}

static cJSON *record_of(const struct log_record *record)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "kind", record->kind);
    cJSON_AddStringToObject(object, "subject", record->subject);
    cJSON_AddNumberToObject(object, "line", record->line);
    cJSON_AddItemToObject(object, "fields", fields_of(record));
    return object;
}

static cJSON *records_of(const struct log_boot *boot, unsigned first, unsigned count)
{
    cJSON *array = cJSON_CreateArray();
    for (unsigned i = 0; i < count && first + i < boot->records.count; i++)
        cJSON_AddItemToArray(array, record_of(&boot->records.item[first + i]));
    return array;
}

static enum severity worst_of(const struct log_boot *boot, const struct log_result *result)
{
    enum severity worst = SEVERITIES;
    for_each_record (boot, result, r)
        if (strcmp(r->kind, "fail") == 0 && log_value(r, "label")) {
            enum severity severity = severity_of(result->id, log_value(r, "label"))->severity;
            worst = severity < worst ? severity : worst;
        }
    return worst < SEVERITIES ? worst : severity_of(result->id, "")->severity;
}

/* Leaves the field out if the log has no value. */
static void add_took(cJSON *object, const struct log_boot *boot, const struct log_run *run,
                     const struct log_result *result)
{
    uint64_t us;
    if (facts_took(boot, run, result, &us))
        cJSON_AddNumberToObject(object, "us", (double)us);
}

static cJSON *result_of(const struct log_boot *boot, const struct log_result *result)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "number", result->number);
    cJSON_AddStringToObject(object, "id", result->id);
    cJSON_AddStringToObject(object, "outcome", log_outcome_name[result->outcome]);
    cJSON_AddStringToObject(object, "reason", result->reason);
    add_took(object, boot, NULL, result);
    cJSON_AddStringToObject(object, "trust", trust_name[result->trust]);
    cJSON_AddNumberToObject(object, "line", result->line);
    if (result->outcome == LOG_FAIL || result->outcome == LOG_REVIEW)
        cJSON_AddStringToObject(object, "severity", severity_name[worst_of(boot, result)]);
    cJSON_AddItemToObject(object, "records", records_of(boot, result->first_record, result->records));
    return object;
}

/* The run's CPUs, which on the reference PMU are not the machine's. */
static void add_identity(cJSON *object, const struct log_boot *boot, const struct log_run *run)
{
    struct arena arena = {0};
    struct facts facts;
    const char *name = log_value(log_find(boot, NULL, "machine"), "name");
    facts_read(&arena, boot, run, &facts);
    cJSON_AddStringToObject(object, "machine", name ? name : "");
    cJSON_AddStringToObject(object, "brand", facts.brand);
    cJSON_AddStringToObject(object, "signature", facts.signature);
    cJSON_AddStringToObject(object, "microcode", facts.microcode);
    cJSON_AddStringToObject(object, "threads_per_core", facts.threads);
    cJSON *cores = cJSON_AddArrayToObject(object, "cores");
    for (unsigned i = 0; i < facts.cores.count; i++) {
        cJSON *core = cJSON_CreateObject();
        cJSON_AddStringToObject(core, "kind", facts.cores.item[i].kind);
        cJSON_AddStringToObject(core, "cpus", facts.cores.item[i].cpus);
        cJSON_AddItemToArray(cores, core);
    }
    arena_free(&arena);
}

static void add_totals(cJSON *object, const struct log_run *run)
{
    unsigned count[LOG_OUTCOMES + 1] = {0};
    cJSON *totals = cJSON_AddObjectToObject(object, "totals");
    for (unsigned i = 0; i < run->results.count; i++)
        count[run->results.item[i].outcome]++;
    for (unsigned i = 0; i <= LOG_OUTCOMES; i++)
        cJSON_AddNumberToObject(totals, log_outcome_name[i], count[i]);
}

/* The run's lines of a kind, by their subject. */
static void add_lines(cJSON *object, const struct log_boot *boot, const struct log_run *run, const char *kind,
                      const char *name)
{
    cJSON *array = cJSON_AddArrayToObject(object, name);
    for_each_record_of_run (boot, run, r) {
        if (strcmp(r->kind, kind) != 0)
            continue;
        cJSON *line = fields_of(r);
        const struct errata_row *erratum = errata_row_of(r->subject);
        cJSON_AddStringToObject(line, "id", r->subject);
        if (erratum)
            cJSON_AddStringToObject(line, "what", erratum->what);
        cJSON_AddItemToArray(array, line);
    }
}

static cJSON *run_of(const struct log_boot *boot, const struct log_run *run)
{
    cJSON *object = cJSON_CreateObject(), *results = cJSON_AddArrayToObject(object, "results");
    if (run->pmu)
        cJSON_AddStringToObject(object, "pmu", run->pmu);
    else
        cJSON_AddNullToObject(object, "pmu");
    if (run->pmu)
        add_identity(object, boot, run);
    if (run->half)
        cJSON_AddStringToObject(object, "update", run->half);
    cJSON_AddStringToObject(object, "verdict", log_run_verdict(boot, run));
    add_totals(object, run);
    if (run->pmu)
        add_took(object, boot, run, NULL);
    cJSON_AddNumberToObject(object, "plan", run->planned ? run->plan : run->results.count);
    cJSON_AddItemToObject(object, "records", records_of(boot, run->first_record, run->records));
    for (unsigned i = 0; i < run->results.count; i++)
        cJSON_AddItemToArray(results, result_of(boot, &run->results.item[i]));
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

static cJSON *list_of(const struct log_record *const *records, unsigned count)
{
    cJSON *array = cJSON_CreateArray();
    for (unsigned i = 0; i < count; i++)
        cJSON_AddItemToArray(array, fields_of(records[i]));
    return array;
}

static void add_resets(cJSON *object, const struct log_boot *boot)
{
    struct arena arena = {0};
    struct told_resets resets;
    if (told_resets(&arena, boot, &resets)) {
        cJSON *told = resets.refused ? fields_of(resets.refused) : cJSON_CreateObject(),
              *ways = cJSON_AddArrayToObject(told, "ways");
        for (unsigned i = 0; i < resets.ways; i++)
            cJSON_AddItemToArray(ways, fields_of(resets.way[i].record));
        cJSON_AddItemToObject(told, "differences", list_of(resets.differences.item, resets.differences.count));
        cJSON_AddItemToObject(object, "resets", told);
    }
    if (boot->reset)
        cJSON_AddItemToObject(object, "ended_by_reset", fields_of(boot->reset));
    arena_free(&arena);
}

static void add_microcode(cJSON *object, const struct log_boot *boot)
{
    struct arena arena = {0};
    struct told_microcode microcode;
    if (told_microcode(&arena, boot, &microcode)) {
        cJSON *told = cJSON_AddObjectToObject(object, "microcode"), *updates = cJSON_AddArrayToObject(told, "updates");
        for (unsigned i = 0; i < microcode.updates.count; i++)
            cJSON_AddItemToArray(updates, fields_of(microcode.updates.item[i].record));
        cJSON_AddItemToObject(told, "changed", list_of(microcode.changed.item, microcode.changed.count));
        if (microcode.changes)
            cJSON_AddItemToObject(told, "changes", fields_of(microcode.changes));
    }
    arena_free(&arena);
}

static cJSON *problems_of(const struct log_boot *boot)
{
    cJSON *array = cJSON_CreateArray();
    for (unsigned i = 0; i < boot->problems.count; i++) {
        cJSON *object = cJSON_CreateObject();
        cJSON_AddNumberToObject(object, "line", boot->problems.item[i].line);
        cJSON_AddStringToObject(object, "text", boot->problems.item[i].text);
        cJSON_AddItemToArray(array, object);
    }
    return array;
}

static cJSON *boot_of(const struct log_file *file, const struct log_boot *boot, const struct image *image)
{
    cJSON *object = cJSON_CreateObject();
    struct arena arena = {0};
    cJSON_AddStringToObject(object, "file", file->path);
    cJSON_AddNumberToObject(object, "line", boot->line);
    cJSON_AddStringToObject(object, "version", boot->version);
    cJSON_AddStringToObject(object, "commit", boot->commit);
    cJSON_AddStringToObject(object, "sum", boot->sum);
    if (image && image->kernels && boot->sum[0])
        cJSON_AddBoolToObject(object, "of_image", image_has(image, boot->sum));
    cJSON_AddStringToObject(object, "verdict", boot->verdict);
    cJSON_AddStringToObject(object, "code", boot->code);
    if (facts_date(boot))
        cJSON_AddStringToObject(object, "date", facts_date(boot));
    cJSON_AddStringToObject(object, "options", facts_options(&arena, boot));
    arena_free(&arena);
    add_took(object, boot, NULL, NULL);
    cJSON_AddBoolToObject(object, "complete", (boot->ended || boot->reset) && boot->problems.count == 0);
    cJSON_AddNumberToObject(object, "status", log_boot_status(boot));
    cJSON *totals = cJSON_AddObjectToObject(object, "totals");
    for (unsigned i = 0; i < LOG_OUTCOMES; i++)
        cJSON_AddNumberToObject(totals, log_outcome_name[i], boot->end_total[i]);
    const struct log_record *machine = log_find(boot, NULL, "machine");
    cJSON_AddItemToObject(object, "machine", machine ? fields_of(machine) : cJSON_CreateObject());
    add_resets(object, boot);
    add_microcode(object, boot);
    unsigned before = boot->runs.count ? boot->runs.item[0].first_record : boot->records.count;
    cJSON_AddItemToObject(object, "records", records_of(boot, 0, before));
    cJSON *runs = cJSON_AddArrayToObject(object, "runs");
    for (unsigned i = 0; i < boot->runs.count; i++)
        cJSON_AddItemToArray(runs, run_of(boot, &boot->runs.item[i]));
    cJSON_AddItemToObject(object, "problems", problems_of(boot));
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
