/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns a log into rows. */
#include "tools/docs/errata_table.h"
#include "tools/pmucheck/export/export.h"
#include "tools/pmucheck/log/facts.h"
#include "tools/pmucheck/log/severity.h"
#include "tools/pmucheck/log/told.h"
#include <string.h>
#include <sys/stat.h>
#include <time.h>

struct source {
    struct exporter *exporter;
    struct arena arena;
    const struct log_file *file;
    const char *log, *machine, *run; /* keys */
    const char *boot_number;
    const struct log_boot *boot;
};

static void put(struct source *s, enum export_name table, const char *const *values)
{
    s->exporter->form->row(s->exporter, table, values);
}

/* A row about a line of the log: the values that are no fields of the line, in the order of their columns. */
static void put_line(struct source *s, enum export_name table, const struct log_record *r, const char *const *others)
{
    const struct export_column *column = export_tables[table].column;
    const char *values[EXPORT_COLUMNS];
    for (unsigned i = 0; column[i].name; i++)
        values[i] = column[i].field ? log_value(r, column[i].field) : *others++;
    put(s, table, values);
}

static const char *number(struct source *s, unsigned value)
{
    return arena_print(&s->arena, "%u", value);
}

/* Microseconds; NULL if the log has none. */
static const char *took(struct source *s, const struct log_run *run, const struct log_result *result)
{
    uint64_t us;
    return facts_took(s->boot, run, result, &us) ? arena_print(&s->arena, "%llu", (unsigned long long)us) : NULL;
}

/* ---- Files and machines */

static const char *captured(struct source *s)
{
    struct stat status;
    struct tm time;
    char text[32];
    if (stat(s->file->path, &status) != 0 || !gmtime_r(&status.st_mtime, &time))
        return NULL;
    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &time);
    return arena_copy(&s->arena, text, strlen(text));
}

static void put_log(struct source *s)
{
    const char *problem = NULL;
    for (unsigned b = 0; b < s->file->boots.count && !problem; b++)
        if (s->file->boots.item[b].problems.count)
            problem = s->file->boots.item[b].problems.item[0].text;
    const char *const values[] = {s->log,
                                  s->file->path,
                                  captured(s),
                                  number(s, s->file->boots.count),
                                  problem ? "0" : "1",
                                  number(s, log_status(s->file)),
                                  problem};
    put(s, EXPORT_LOGS, values);
}

static void put_machine(struct source *s)
{
    const struct log_record *m = log_find(s->boot, NULL, "machine");
    const char *const others[] = {s->log,
                                  s->boot_number,
                                  s->machine,
                                  log_timeless(s->boot) ? NULL : log_value(m, "tsc-khz"),
                                  s->boot->version,
                                  s->boot->commit,
                                  s->boot->code,
                                  s->boot->verdict,
                                  number(s, s->boot->seconds),
                                  facts_date(s->boot),
                                  facts_options(&s->arena, s->boot),
                                  took(s, NULL, NULL),
                                  s->boot->left ? log_value(s->boot->left, "way") : NULL};
    put_line(s, EXPORT_MACHINES, m, others);
}

/* ---- Runs */

static void put_cpus(struct source *s, const struct facts *facts)
{
    for_each_item (facts->cores, core) {
        const char *const others[] = {s->run,
                                      core->kind,
                                      core->cpus,
                                      log_value(core->cpu, "microcode"),
                                      log_value(core->cpu, "threads-per-core"),
                                      log_value(core->cpu, "misc-enable")};
        put_line(s, EXPORT_CPUS, core->record, others);
    }
}

static void put_run(struct source *s, const struct log_run *run, const struct facts *facts)
{
    unsigned count[LOG_OUTCOMES + 1];
    const char *kinds = "";
    log_tally(run, count);
    for_each_item (facts->cores, core)
        kinds = arena_join(&s->arena, kinds, ",", core->kind);
    const char *values[12 + LOG_OUTCOMES + 3] = {s->run,
                                                 s->log,
                                                 s->boot_number,
                                                 s->machine,
                                                 run->pmu,
                                                 facts->brand,
                                                 facts->signature,
                                                 facts->microcode,
                                                 kinds,
                                                 facts->threads,
                                                 facts_conditions(&s->arena, facts),
                                                 log_run_verdict(s->boot, run)};
    for (unsigned i = 0; i <= LOG_OUTCOMES; i++)
        values[12 + i] = number(s, count[i]);
    values[12 + LOG_OUTCOMES + 1] = took(s, run, NULL);
    values[12 + LOG_OUTCOMES + 2] = run->half;
    put(s, EXPORT_RUNS, values);
    put_cpus(s, facts);
}

/* ---- Results */

static void put_check(struct source *s, const struct log_record *r, const struct log_result *result)
{
    enum severity severity = severity_of(result->id, log_word(r, "label"))->severity;
    put_line(s, EXPORT_CHECKS, r, (const char *const[]){s->run, result->id, r->kind, severity_name[severity]});
}

static void put_measure(struct source *s, const struct log_record *r, const struct log_result *result)
{
    const char *chosen = facts_chosen(result->id, log_value(r, "name")) ? "1" : "0";
    put_line(s, EXPORT_MEASURES, r, (const char *const[]){s->run, result->id, chosen});
}

static void put_register(struct source *s, const struct log_record *r, const char *reg, const char *what,
                         const char *value)
{
    const char *const values[] = {s->run, reg, log_value(r, "cpus"), what, value};
    if (reg && value)
        put(s, EXPORT_REGISTERS, values);
}

/* "# bits" and "# handoff" lines; behaviours without a bit are left out. */
static void put_registers(struct source *s, const struct log_record *r)
{
    static const char *const whats[] = {"found", "means", "kept", "dropped", "fault", "untried", "unstable"};
    for (size_t i = 0; i < sizeof(whats) / sizeof(whats[0]); i++) {
        const char *value = log_value(r, whats[i]);
        if (value && (i == 0 || strcmp(value, "0x0") != 0))
            put_register(s, r, log_value(r, "reg"), whats[i], value);
    }
}

/* The "# found" line of the hand-off has a field for each register. */
static void put_found(struct source *s, const struct log_run *run)
{
    for_each_record (s->boot, run, r)
        for (unsigned i = 0; log_is(r, "found") && i < r->fields; i++)
            if (strcmp(r->field[i].key, "cpus") != 0)
                put_register(s, r, r->field[i].key, "found", r->field[i].value);
}

static void put_result(struct source *s, const struct log_result *result)
{
    static const char *const trust[] = {"checked", "unchecked", "damaged"};
    enum severity worst = SEVERITIES;
    for_each_record (s->boot, result, r) {
        bool failed = log_is(r, "fail");
        if (failed) {
            enum severity severity = severity_of(result->id, log_word(r, "label"))->severity;
            worst = severity < worst ? severity : worst;
        }
        if (failed || log_is(r, "differs"))
            put_check(s, r, result);
        else if (log_is(r, "measure"))
            put_measure(s, r, result);
        else if (log_is(r, "bits") || log_is(r, "handoff"))
            put_registers(s, r);
    }
    const char *const values[] = {s->run,
                                  number(s, result->number),
                                  result->id,
                                  arena_copy(&s->arena, result->id, strcspn(result->id, ".")),
                                  log_outcome_name[result->outcome],
                                  result->reason,
                                  worst < SEVERITIES ? severity_name[worst] : NULL,
                                  trust[result->trust],
                                  number(s, result->line),
                                  took(s, NULL, result)};
    put(s, EXPORT_RESULTS, values);
}

static void put_erratum(struct source *s, const struct log_record *r)
{
    const struct errata_row *row = errata_row_of(r->subject);
    put_line(s, EXPORT_ERRATA, r, (const char *const[]){s->run, r->subject, row ? row->what : NULL});
}

static void put_use(struct source *s, const struct told_use *use)
{
    const char *const values[] = {s->run, use->name, use->words, use->answer, use->because[0] ? use->because : NULL};
    put(s, EXPORT_USES, values);
}

static void put_errata_and_uses(struct source *s, const struct log_run *run)
{
    struct told_use use;
    for_each_record_of_run (s->boot, run, r)
        if (log_is(r, "erratum"))
            put_erratum(s, r);
        else if (told_use(r, &use))
            put_use(s, &use);
}

/* ---- Warm resets, and microcode */

static void put_resets(struct source *s)
{
    const char *const others[] = {s->log, s->boot_number, s->machine};
    struct told_resets resets;
    told_resets(&s->arena, s->boot, &resets);
    if (resets.refused)
        put_line(s, EXPORT_RESETS, resets.refused, others);
    for (unsigned i = 0; i < resets.ways; i++)
        put_line(s, EXPORT_RESETS, resets.way[i].record, others);
    for_each_item (resets.differences, r)
        put_line(s, EXPORT_RESET_DIFFERENCES, *r, others);
}

static void put_change(struct source *s, const struct log_record *r)
{
    const struct told_change change = told_change(r);
    const char *const others[] = {s->log,      s->boot_number, s->machine,    change.label ? "label" : change.what,
                                  change.name, change.label,   change.before, change.after};
    put_line(s, EXPORT_MICROCODE_CHANGES, r, others);
}

static void put_microcode(struct source *s)
{
    struct told_microcode microcode;
    told_microcode(&s->arena, s->boot, &microcode);
    for_each_item (microcode.updates, u) {
        const char *const values[] = {s->log,
                                      s->boot_number,
                                      s->machine,
                                      u->cpus,
                                      u->before[0] ? u->before : NULL,
                                      u->after[0] ? u->after : NULL,
                                      u->state,
                                      u->why[0] ? u->why : NULL};
        put(s, EXPORT_MICROCODE, values);
    }
    for_each_item (microcode.changed, r)
        put_change(s, *r);
}

static void put_boot(struct source *s)
{
    const char *name = log_word(log_find(s->boot, NULL, "machine"), "name");
    s->machine = name[0] ? name : log_base_name(&s->arena, s->file->path);
    put_machine(s);
    put_resets(s);
    put_microcode(s);
    for (unsigned i = 0; i < s->boot->runs.count; i++) {
        const struct log_run *run = &s->boot->runs.item[i];
        struct facts facts;
        if (!log_run_of_tests(run))
            continue;
        s->run = arena_print(&s->arena, "%s-%s-%u", s->log, s->boot_number, i);
        facts_read(&s->arena, s->boot, run, &facts);
        put_run(s, run, &facts);
        put_found(s, run);
        for_each_item (run->results, result)
            put_result(s, result);
        put_errata_and_uses(s, run);
    }
}

void export_log(struct exporter *exporter, const struct log_file *file)
{
    struct source s = {.exporter = exporter, .file = file};
    s.log = arena_print(&s.arena, "%016llx", (unsigned long long)file->hash);
    bool new = exporter->form->is_new(exporter, s.log);
    for (unsigned b = 0; new &&b < file->boots.count; b++) {
        s.boot = &file->boots.item[b];
        s.boot_number = number(&s, b);
        put_boot(&s);
    }
    if (new)
        put_log(&s);
    exporter->logs += new;
    exporter->again += !new;
    arena_free(&s.arena);
}
