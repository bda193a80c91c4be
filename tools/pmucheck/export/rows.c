/* SPDX-License-Identifier: BSD-2-Clause */
/* Walks through a log: which of its places have a row in which table. */
#include "tools/pmucheck/export/export.h"
#include "tools/pmucheck/log/told.h"

static void put(struct exporter *exporter, enum export_name table, const struct row *row)
{
    exporter->form->row(exporter, table, row);
}

/* A row about a line, in the place of `around`. */
static void put_line(struct exporter *exporter, enum export_name table, const struct row *around,
                     const struct log_record *line)
{
    struct row row = *around;
    row.line = line;
    put(exporter, table, &row);
}

/* ---- Registers: lines that have several fields about one */

static void put_field(struct exporter *exporter, const struct row *around, const struct log_record *line,
                      const struct log_field *field)
{
    struct row row = *around;
    row.line = line;
    row.field = field;
    if (row_reg(&row))
        put(exporter, EXPORT_REGISTERS, &row);
}

static const struct log_field *field_of(const struct log_record *r, const char *key)
{
    for (unsigned i = 0; i < r->fields; i++)
        if (strcmp(r->field[i].key, key) == 0)
            return &r->field[i];
    return NULL;
}

/* "# bits" and "# handoff" lines; behaviours without a bit are left out. */
static void put_registers(struct exporter *exporter, const struct row *around, const struct log_record *r)
{
    static const char *const whats[] = {"found", "means", "kept", "dropped", "fault", "untried", "unstable"};
    for (size_t i = 0; i < sizeof(whats) / sizeof(whats[0]); i++) {
        const struct log_field *field = field_of(r, whats[i]);
        if (field && (i == 0 || strcmp(field->value, "0x0") != 0))
            put_field(exporter, around, r, field);
    }
}

/* The "# found" line of the hand-off has a field for each register. */
static void put_found(struct exporter *exporter, const struct row *run)
{
    for_each_record (run->boot, run->run, r)
        for (unsigned i = 0; log_is(r, "found") && i < r->fields; i++)
            if (strcmp(r->field[i].key, "cpus") != 0)
                put_field(exporter, run, r, &r->field[i]);
}

/* ---- Runs */

static void put_result(struct exporter *exporter, const struct row *run, const struct log_result *result)
{
    struct row row = *run;
    row.result = result;
    for_each_record (row.boot, result, r)
        if (log_is_difference(r))
            put_line(exporter, EXPORT_CHECKS, &row, r);
        else if (log_is(r, "measure"))
            put_line(exporter, EXPORT_MEASURES, &row, r);
        else if (log_is(r, "bits") || log_is(r, "handoff"))
            put_registers(exporter, &row, r);
    put(exporter, EXPORT_RESULTS, &row);
}

static void put_cpus(struct exporter *exporter, const struct row *run)
{
    struct row row = *run;
    for_each_item (run->facts->cores, core) {
        row.core = core;
        put_line(exporter, EXPORT_CPUS, &row, core->record);
    }
}

static void put_run(struct exporter *exporter, const struct row *run)
{
    put(exporter, EXPORT_RUNS, run);
    put_cpus(exporter, run);
    put_found(exporter, run);
    for_each_item (run->run->results, result)
        put_result(exporter, run, result);
    for_each_record_of_run (run->boot, run->run, r)
        if (log_is(r, "erratum"))
            put_line(exporter, EXPORT_ERRATA, run, r);
        else if (log_is(r, "good-for"))
            put_line(exporter, EXPORT_USES, run, r);
}

/* ---- Starts */

static void put_resets(struct exporter *exporter, const struct row *start)
{
    struct told_resets resets;
    told_resets(start->arena, start->boot, &resets);
    if (resets.refused)
        put_line(exporter, EXPORT_RESETS, start, resets.refused);
    for (unsigned i = 0; i < resets.ways; i++)
        put_line(exporter, EXPORT_RESETS, start, resets.way[i].record);
    for_each_item (resets.differences, r)
        put_line(exporter, EXPORT_RESET_DIFFERENCES, start, *r);
}

static void put_microcode(struct exporter *exporter, const struct row *start)
{
    struct told_microcode microcode;
    told_microcode(start->arena, start->boot, &microcode);
    for_each_item (microcode.updates, update)
        put_line(exporter, EXPORT_MICROCODE, start, *update);
    for_each_item (microcode.changed, r)
        put_line(exporter, EXPORT_MICROCODE_CHANGES, start, *r);
}

static void put_start(struct exporter *exporter, const struct row *start)
{
    struct facts facts;
    put_line(exporter, EXPORT_MACHINES, start, log_find(start->boot, NULL, "machine"));
    put_resets(exporter, start);
    put_microcode(exporter, start);
    for_each_item (start->boot->runs, run) {
        if (!log_run_of_tests(run))
            continue;
        const struct row row = row_of_run(start->arena, start->file, start->boot, run, &facts);
        put_run(exporter, &row);
    }
}

void export_log(struct exporter *exporter, const struct log_file *file)
{
    struct arena arena = {0};
    struct row row = {.arena = &arena, .file = file};
    bool new = exporter->form->is_new(exporter, row_log(&row));
    for (unsigned b = 0; new &&b < file->boots.count; b++) {
        row.boot = &file->boots.item[b];
        put_start(exporter, &row);
    }
    row.boot = NULL;
    if (new)
        put(exporter, EXPORT_LOGS, &row);
    exporter->logs += new;
    exporter->again += !new;
    arena_free(&arena);
}
