/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The report as JSON. `pmucheck report --help` describes the schema, "pmucheck-report-1". Values of the log stay
 * strings in the log's spelling; the reader's own counts are numbers.
 */
#include "tools/docs/errata_table.h"
#include "tools/pmucheck/log/relation.h"
#include "tools/pmucheck/log/told.h"
#include "tools/pmucheck/report/report.h"
#include <string.h>

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

/* ---- Results and runs */

static json_object *result_of(const struct row *run, const struct log_result *result)
{
    static const struct row_member members[] = {{"number", row_number, true},
                                                {"id", row_test, false},
                                                {"outcome", row_outcome, false},
                                                {"reason", row_reason, false},
                                                {"us", row_us, true},
                                                {"trust", row_trust, false},
                                                {"line", row_line, true},
                                                {"severity", row_severity, false},
                                                {0}};
    json_object *object = json_object_new_object();
    struct row row = *run;
    row.result = result;
    row_add(object, &row, members);
    json_object_object_add(object, "records", records_of(row.boot, result->first_record, result->records));
    return object;
}

/* The run's CPUs, which on the reference PMU are not the machine's. */
static void add_identity(json_object *object, const struct row *run)
{
    static const struct row_member members[] = {{"machine", row_machine_name, false},
                                                {"brand", row_brand, false},
                                                {"signature", row_signature, false},
                                                {"microcode", row_microcode, false},
                                                {"threads_per_core", row_threads, false},
                                                {0}},
                                   of_core[] = {{"kind", row_kind, false}, {"cpus", row_cpus, false}, {0}};
    row_add(object, run, members);
    json_object *cores = json_add_array(object, "cores");
    struct row row = *run;
    for_each_item (run->facts->cores, core) {
        row.core = core;
        row_add(json_add_item(cores), &row, of_core);
    }
}

static void add_totals(json_object *object, const struct row *run)
{
    static const struct row_member members[] = {
        {"pass", row_pass, true}, {"fail", row_fail, true},   {"known", row_known, true}, {"review", row_review, true},
        {"skip", row_skip, true}, {"error", row_error, true}, {"lost", row_lost, true},   {0}};
    row_add(json_add_object(object, "totals"), run, members);
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

/* The lines that a run of tests has under names of their own. */
static void add_told(json_object *object, const struct log_boot *boot, const struct log_run *run)
{
    static const char *const told[][2] = {{"erratum", "errata"},
                                          {"good-for", "good_for"},
                                          {"good-for-fact", "good_for_facts"},
                                          {"state", "states"},
                                          {"state-differs", "state_differences"}};
    for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
        add_lines(object, boot, run, told[i][0], told[i][1]);
}

/* A sum over runs has no PMU, and nothing of one. */
static json_object *run_of(const struct row *start, const struct log_run *run)
{
    static const struct row_member outcome[] = {{"update", row_half, false}, {"verdict", row_verdict, false}, {0}},
                                   time[] = {{"us", row_run_us, true}, {0}},
                                   plan[] = {{"plan", row_planned, true}, {0}};
    struct facts facts = {0};
    json_object *object = json_object_new_object(), *results = json_add_array(object, "results");
    struct row row = *start;
    row.run = run;
    json_object_object_add(object, "pmu", run->pmu ? json_object_new_string(run->pmu) : NULL);
    if (run->pmu) {
        row = row_of_run(start->arena, start->file, start->boot, run, &facts);
        add_identity(object, &row);
    }
    row_add(object, &row, outcome);
    add_totals(object, &row);
    if (run->pmu)
        row_add(object, &row, time);
    row_add(object, &row, plan);
    json_object_object_add(object, "records", records_of(row.boot, run->first_record, run->records));
    for_each_item (run->results, result)
        json_object_array_add(results, result_of(&row, result));
    if (run->pmu)
        add_told(object, row.boot, run);
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

static void add_resets(json_object *object, const struct row *start)
{
    struct told_resets resets;
    if (told_resets(start->arena, start->boot, &resets)) {
        json_object *told = resets.refused ? fields_of(resets.refused) : json_object_new_object(),
                    *ways = json_add_array(told, "ways");
        for (unsigned i = 0; i < resets.ways; i++)
            json_object_array_add(ways, fields_of(resets.way[i].record));
        json_object_object_add(told, "differences", list_of(resets.differences.item, resets.differences.count));
        json_object_object_add(object, "resets", told);
    }
    if (start->boot->left)
        json_object_object_add(object, log_is(start->boot->left, "host") ? "ended_by_host" : "ended_by_reset",
                               fields_of(start->boot->left));
}

static void add_microcode(json_object *object, const struct row *start)
{
    struct told_microcode microcode;
    if (!told_microcode(start->arena, start->boot, &microcode))
        return;
    json_object *told = json_add_object(object, "microcode");
    json_object_object_add(told, "updates", list_of(microcode.updates.item, microcode.updates.count));
    json_object_object_add(told, "changed", list_of(microcode.changed.item, microcode.changed.count));
    if (microcode.changes)
        json_object_object_add(told, "changes", fields_of(microcode.changes));
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

static json_object *boot_of(const struct row *row, const struct image *image)
{
    static const struct row_member members[] = {{"file", row_path, false},       {"line", row_start_line, true},
                                                {"version", row_version, false}, {"commit", row_commit, false},
                                                {"sum", row_sum, false},         {0}},
                                   more[] = {{"verdict", row_end_verdict, false}, {"code", row_code, false},
                                             {"date", row_date, false},           {"options", row_options, false},
                                             {"us", row_start_us, true},          {0}};
    const struct log_boot *boot = row->boot;
    json_object *object = json_object_new_object();
    row_add(object, row, members);
    if (image && image->kernels && boot->sum[0])
        json_add_bool(object, "of_image", image_has(image, boot->sum));
    row_add(object, row, more);
    json_add_bool(object, "complete", boot->problems.count == 0 && (boot->ended || boot->left));
    json_add_number(object, "status", log_boot_status(boot));
    json_object *totals = json_add_object(object, "totals");
    for (unsigned i = 0; i < LOG_OUTCOMES; i++)
        json_add_number(totals, log_outcome_name[i], boot->end_total[i]);
    const struct log_record *machine = log_find(boot, NULL, "machine");
    json_object_object_add(object, "machine", machine ? fields_of(machine) : json_object_new_object());
    add_resets(object, row);
    add_microcode(object, row);
    add_proven(object, boot);
    unsigned before = boot->runs.count ? boot->runs.item[0].first_record : boot->records.count;
    json_object_object_add(object, "records", records_of(boot, 0, before));
    json_object *runs = json_add_array(object, "runs");
    for_each_item (boot->runs, run)
        json_object_array_add(runs, run_of(row, run));
    json_object_object_add(object, "problems", problems_of(boot));
    return object;
}

void report_json(struct report *report, const struct log_file *file)
{
    struct arena arena = {0};
    for_each_item (file->boots, boot) {
        const struct row row = {.arena = &arena, .file = file, .boot = boot};
        fputs(report->logs || boot > file->boots.item ? ",\n" : "\n", report->out);
        put_json(report->out, boot_of(&row, report->image), true);
    }
    arena_free(&arena);
}
