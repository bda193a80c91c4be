/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows as text: a directory with a CSV file for each table; one file of JSON lines, each with its table's name; a
 * submission to KernelCI's database. They are written anew each time.
 */
#include "tools/index.h"
#include "tools/json.h"
#include "tools/pmucheck/command/load.h"
#include "tools/pmucheck/export/export.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct text {
    FILE *out[EXPORT_TABLES]; /* of CSV one for each table; of the others the first */
    const char *path[EXPORT_TABLES];
    struct index known; /* the hashes of the logs that were written */
    struct arena arena;
    LIST(const char *) builds; /* of kcidb */
    bool some;
};

bool export_text_is_new(struct exporter *exporter, const char *log)
{
    struct text *t = exporter->state;
    return index_number(&t->arena, &t->known, log, strlen(log)) > exporter->logs;
}

/* ---- Opening and closing */

static struct text *new_state(struct exporter *exporter)
{
    struct arena arena = {0};
    struct text *t = arena_alloc(&arena, sizeof(*t));
    t->arena = arena;
    return exporter->state = t;
}

static bool open_one(struct exporter *exporter, unsigned i, const char *path)
{
    struct text *t = exporter->state;
    t->path[i] = path;
    t->out[i] = load_output(exporter->command, path);
    return t->out[i];
}

bool export_csv_open(struct exporter *exporter, const char *path)
{
    struct text *t = new_state(exporter);
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        snprintf(exporter->problem, sizeof(exporter->problem), "%s", strerror(errno));
        return false;
    }
    for (unsigned i = 0; i < EXPORT_TABLES; i++) {
        if (!open_one(exporter, i, arena_print(&t->arena, "%s/%s.csv", path, export_tables[i].name)))
            return false;
        for (const struct export_column *column = export_tables[i].column; column->name; column++)
            fprintf(t->out[i], "%s%s", column->name, column[1].name ? "," : "\n");
    }
    return true;
}

bool export_ndjson_open(struct exporter *exporter, const char *path)
{
    new_state(exporter);
    return open_one(exporter, 0, path);
}

bool export_text_close(struct exporter *exporter)
{
    struct text *t = exporter->state;
    struct arena arena = t->arena; /* which holds the state itself */
    bool good = true;
    for (unsigned i = 0; i < EXPORT_TABLES; i++)
        good &= !t->out[i] || load_close(exporter->command, t->path[i], t->out[i]);
    arena_free(&arena);
    exporter->state = NULL;
    return good;
}

/* ---- Cells of CSV: RFC 4180, except that lines end with LF, and that no cell has one */

/* Is it a number in JSON's form: digits, a sign, a point? */
static bool is_number(const char *value)
{
    size_t sign = *value == '-', whole = strspn(value + sign, "0123456789");
    bool zeros = whole > 1 && value[sign] == '0';
    const char *rest = value + sign + whole;
    if (*rest == '.')
        rest += 1 + strspn(rest + 1, "0123456789");
    return whole && !zeros && !*rest && rest[-1] != '.';
}

/* A spreadsheet would take the text as a formula: a quote before it makes it a text. */
static bool is_formula(const char *value)
{
    return *value && strchr("=+-@\t\r", *value) && !is_number(value);
}

static void put_csv(FILE *out, const char *value)
{
    bool formula = is_formula(value), quotes = strpbrk(value, ",\"\n\r");
    if (quotes)
        fputc('"', out);
    if (formula)
        fputc('\'', out);
    for (; *value; value++)
        fprintf(out, *value == '"' ? "\"\"" : "%c", *value == '\n' || *value == '\r' ? ' ' : *value);
    if (quotes)
        fputc('"', out);
}

void export_csv_row(struct exporter *exporter, enum export_name table, const struct row *row)
{
    FILE *out = ((struct text *)exporter->state)->out[table];
    for (const struct export_column *column = export_tables[table].column; column->name; column++) {
        const char *value = export_value(column, row);
        put_csv(out, value ? value : "");
        fputc(column[1].name ? ',' : '\n', out);
    }
}

/* ---- JSON */

void export_ndjson_row(struct exporter *exporter, enum export_name table, const struct row *row)
{
    json_object *object = json_object_new_object();
    json_add_text(object, "table", export_tables[table].name);
    for (const struct export_column *column = export_tables[table].column; column->name; column++) {
        const char *value = export_value(column, row);
        if (!value || (column->type != EXPORT_TEXT && !value[0]))
            json_object_object_add(object, column->name, NULL);
        else if (column->type != EXPORT_TEXT && is_number(value))
            json_object_object_add(object, column->name, json_number_as(value));
        else
            json_add_text(object, column->name, value);
    }
    FILE *out = ((struct text *)exporter->state)->out[0];
    put_json(out, object, false);
    fputc('\n', out);
}

/* ---- KCIDB, schema 4: a checkout and a build for each image, a test for each result. Tests come first. */

bool export_kcidb_open(struct exporter *exporter, const char *path)
{
    struct text *t = new_state(exporter);
    if (open_one(exporter, 0, path))
        /* 4.2 is the first version with MISS. */
        fprintf(t->out[0], "{\"version\":{\"major\":4,\"minor\":2},\"tests\":[");
    return t->out[0];
}

static const char *const kcidb_status[LOG_OUTCOMES + 1] = {
    [LOG_PASS] = "PASS", [LOG_FAIL] = "FAIL",   [LOG_KNOWN] = "FAIL", [LOG_REVIEW] = "DONE",
    [LOG_SKIP] = "SKIP", [LOG_ERROR] = "ERROR", [LOG_LOST] = "MISS"};

static const char *kcidb_comment(const struct row *row)
{
    return arena_print(row->arena, "%s, %s, signature %s, microcode %s", row_machine(row), row_brand(row),
                       row_signature(row), row_microcode(row));
}

static json_object *kcidb_result(const struct row *row, const char *origin, const char *build)
{
    const char *test = row_test(row), *us = row_us(row), *severity = row_severity(row);
    json_object *object = json_object_new_object();
    json_add_text(object, "id", arena_print(row->arena, "%s:%s-%s", origin, row_run(row), row_number(row)));
    json_add_text(object, "build_id", arena_print(row->arena, "%s:%s", origin, build));
    json_add_text(object, "origin", origin);
    json_add_text(object, "path", arena_print(row->arena, "pmucheck.%s", test[0] ? test : "unknown"));
    json_add_text(object, "status", kcidb_status[row->result->outcome]);
    json_add_bool(object, "waived", row->result->outcome == LOG_KNOWN);
    json_add_text(object, "comment", row_reason(row));
    if (us)
        json_add_number(object, "duration", strtod(us, NULL) / 1e6);
    json_add_text(json_add_object(object, "environment"), "comment", kcidb_comment(row));
    json_object *misc = json_add_object(object, "misc");
    json_add_text(misc, "outcome", row_outcome(row));
    json_add_text(misc, "severity", severity ? severity : "");
    return object;
}

/* A build is identified by the image's version and commit. The last build is that of the next rows. */
static void kcidb_build(struct text *t, const char *build)
{
    unsigned last = t->builds.count;
    for (unsigned i = 0; i < last; i++)
        if (strcmp(t->builds.item[i], build) == 0) {
            const char *moved = t->builds.item[i];
            t->builds.item[i] = t->builds.item[last - 1];
            t->builds.item[last - 1] = moved;
            return;
        }
    *LIST_ADD(&t->arena, &t->builds) = build;
}

void export_kcidb_row(struct exporter *exporter, enum export_name table, const struct row *row)
{
    struct text *t = exporter->state;
    if (table == EXPORT_MACHINES) {
        const char *version = row_version(row), *commit = row_commit(row);
        kcidb_build(t, arena_print(&t->arena, "pmucheck-%s-%s", version[0] ? version : "unknown",
                                   commit[0] ? commit : "unknown"));
    } else if (table == EXPORT_RESULTS) {
        fprintf(t->out[0], "%s\n", t->some ? "," : "");
        put_json(t->out[0], kcidb_result(row, exporter->origin, t->builds.item[t->builds.count - 1]), false);
        t->some = true;
    }
}

bool export_kcidb_close(struct exporter *exporter)
{
    struct text *t = exporter->state;
    const char *origin = exporter->origin;
    if (!t->out[0])
        return export_text_close(exporter);
    fprintf(t->out[0], "\n],\"checkouts\":[");
    for (unsigned i = 0; i < t->builds.count; i++)
        fprintf(t->out[0], "%s\n{\"id\":\"%s:%s\",\"origin\":\"%s\",\"tree_name\":\"pmucheck\"}", i ? "," : "", origin,
                t->builds.item[i], origin);
    fprintf(t->out[0], "\n],\"builds\":[");
    for (unsigned i = 0; i < t->builds.count; i++)
        fprintf(t->out[0],
                "%s\n{\"id\":\"%s:%s\",\"checkout_id\":\"%s:%s\",\"origin\":\"%s\",\"architecture\":\"x86_64\","
                "\"valid\":true}",
                i ? "," : "", origin, t->builds.item[i], origin, t->builds.item[i], origin);
    fprintf(t->out[0], "\n]}\n");
    return export_text_close(exporter);
}
