/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes rows into an SQLite database: all rows of this call or, after an error, none. */
#include "tools/pmucheck/export/export.h"
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define PATIENCE_MS 600000 /* while another export writes the database */

struct database {
    sqlite3 *db;
    sqlite3_stmt *insert[EXPORT_TABLES], *find;
    bool bad;
};

static bool wrong(struct exporter *exporter, struct database *d)
{
    if (!d->bad)
        snprintf(exporter->problem, sizeof(exporter->problem), "%s", sqlite3_errmsg(d->db));
    d->bad = true;
    return false;
}

/* Adds the last columns to a table of an older program. */
static bool add_columns(struct exporter *exporter, struct database *d, const struct export_table *table,
                        const char *const *types)
{
    struct arena arena = {0};
    sqlite3_stmt *count = NULL;
    const char *query = arena_print(&arena, "SELECT count(*) FROM pragma_table_info('%s')", table->name);
    bool good = sqlite3_prepare_v2(d->db, query, -1, &count, NULL) == SQLITE_OK && sqlite3_step(count) == SQLITE_ROW;
    unsigned i = good ? (unsigned)sqlite3_column_int(count, 0) : 0;
    sqlite3_finalize(count);
    for (; good && table->column[i].name; i++) {
        const char *add = arena_print(&arena, "ALTER TABLE %s ADD COLUMN \"%s\" %s", table->name, table->column[i].name,
                                      types[table->column[i].type]);
        good = sqlite3_exec(d->db, add, NULL, NULL, NULL) == SQLITE_OK;
    }
    arena_free(&arena);
    return good || wrong(exporter, d);
}

/* "CREATE TABLE IF NOT EXISTS runs (run TEXT, ...)", and a statement that adds a row. */
static bool make_table(struct exporter *exporter, struct database *d, enum export_name name)
{
    static const char *const type[] = {"TEXT", "INTEGER", "REAL"};
    struct arena arena = {0};
    const struct export_table *table = &export_tables[name];
    const char *columns = "", *marks = "";
    for (unsigned i = 0; table->column[i].name; i++) {
        columns = arena_print(&arena, "%s%s\"%s\" %s%s", columns, i ? ", " : "", table->column[i].name,
                              type[table->column[i].type],
                              i == 0 && (name == EXPORT_LOGS || name == EXPORT_RUNS) ? " PRIMARY KEY" : "");
        marks = arena_print(&arena, "%s%s?", marks, i ? ", " : "");
    }
    const char *create = arena_print(&arena, "CREATE TABLE IF NOT EXISTS %s (%s)", table->name, columns);
    const char *insert = arena_print(&arena, "INSERT INTO %s VALUES (%s)", table->name, marks);
    bool good = sqlite3_exec(d->db, create, NULL, NULL, NULL) == SQLITE_OK && add_columns(exporter, d, table, type) &&
                sqlite3_prepare_v2(d->db, insert, -1, &d->insert[name], NULL) == SQLITE_OK;
    arena_free(&arena);
    return good || wrong(exporter, d);
}

bool export_sqlite_open(struct exporter *exporter, const char *path)
{
    struct database *d = calloc(1, sizeof(*d));
    bool good = d != NULL;
    exporter->state = d;
    if (good && sqlite3_open(path, &d->db) != SQLITE_OK)
        good = wrong(exporter, d);
    if (good)
        sqlite3_busy_timeout(d->db, PATIENCE_MS);
    if (good && sqlite3_exec(d->db, "PRAGMA synchronous = OFF; BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
        good = wrong(exporter, d);
    for (unsigned t = 0; good && t < EXPORT_TABLES; t++)
        good = make_table(exporter, d, (enum export_name)t);
    if (good && sqlite3_prepare_v2(d->db, "SELECT 1 FROM logs WHERE log = ?", -1, &d->find, NULL) != SQLITE_OK)
        good = wrong(exporter, d);
    return good;
}

bool export_sqlite_is_new(struct exporter *exporter, const char *log)
{
    struct database *d = exporter->state;
    sqlite3_bind_text(d->find, 1, log, -1, SQLITE_TRANSIENT);
    bool found = sqlite3_step(d->find) == SQLITE_ROW;
    sqlite3_reset(d->find);
    return !found;
}

static void bind(sqlite3_stmt *statement, int at, enum export_type type, const char *value)
{
    char *end = NULL;
    if (!value || (type != EXPORT_TEXT && !value[0])) {
        sqlite3_bind_null(statement, at);
        return;
    }
    double real = type == EXPORT_REAL ? strtod(value, &end) : 0;
    long long integer = type == EXPORT_INTEGER ? strtoll(value, &end, 10) : 0;
    if (type == EXPORT_TEXT || *end) /* a text that is no number is stored as a text */
        sqlite3_bind_text(statement, at, value, -1, SQLITE_STATIC);
    else if (type == EXPORT_REAL)
        sqlite3_bind_double(statement, at, real);
    else
        sqlite3_bind_int64(statement, at, integer);
}

void export_sqlite_row(struct exporter *exporter, enum export_name table, const struct row *row)
{
    struct database *d = exporter->state;
    const struct export_column *column = export_tables[table].column;
    for (int i = 0; column[i].name; i++)
        bind(d->insert[table], i + 1, column[i].type, export_value(&column[i], row));
    if (sqlite3_step(d->insert[table]) != SQLITE_DONE)
        wrong(exporter, d);
    sqlite3_reset(d->insert[table]);
}

bool export_sqlite_close(struct exporter *exporter)
{
    static const char ends[] = "CREATE INDEX IF NOT EXISTS results_by_run ON results (run, outcome);"
                               "CREATE INDEX IF NOT EXISTS measures_by_name ON measures (test, name);"
                               "CREATE INDEX IF NOT EXISTS checks_by_label ON checks (test, label); COMMIT";
    struct database *d = exporter->state;
    if (!d)
        return false;
    for (unsigned t = 0; t < EXPORT_TABLES; t++)
        sqlite3_finalize(d->insert[t]);
    sqlite3_finalize(d->find);
    if (!d->bad && sqlite3_exec(d->db, ends, NULL, NULL, NULL) != SQLITE_OK)
        wrong(exporter, d);
    bool good = !d->bad;
    sqlite3_close(d->db);
    free(d);
    exporter->state = NULL;
    return good;
}
