/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Logs as rows of flat tables, for databases and data frames. tables.c defines the tables and columns. A form writes
 * rows and remembers its logs, so that no log is written twice.
 */
#pragma once

#include "tools/pmucheck/log/relation.h"
#include <stdio.h>

enum export_name {
    EXPORT_LOGS,
    EXPORT_MACHINES,
    EXPORT_RUNS,
    EXPORT_CPUS,
    EXPORT_RESULTS,
    EXPORT_CHECKS,
    EXPORT_MEASURES,
    EXPORT_REGISTERS,
    EXPORT_ERRATA,
    EXPORT_USES,
    EXPORT_RESETS,
    EXPORT_RESET_DIFFERENCES,
    EXPORT_MICROCODE,
    EXPORT_MICROCODE_CHANGES,
    EXPORT_TABLES
};
#define EXPORT_COLUMNS 32

enum export_type { EXPORT_TEXT, EXPORT_INTEGER, EXPORT_REAL };
struct export_column {
    const char *name; /* NULL ends them */
    enum export_type type;
    const char *meaning;
    const char *key;  /* of the log's line that the row is about */
    row_value *value; /* without a key */
};
struct export_table {
    const char *name, *meaning;
    struct export_column column[EXPORT_COLUMNS];
};
extern const struct export_table export_tables[EXPORT_TABLES];

/* The value of a column in a row; NULL: it has none. */
const char *export_value(const struct export_column *column, const struct row *row);

struct command;
struct exporter;
struct export_form {
    const char *name;
    /* Returns false, with *problem set, if the output cannot be opened. */
    bool (*open)(struct exporter *exporter, const char *path);
    /* Is this log, by its hash, new to the output? Notes it as written. */
    bool (*is_new)(struct exporter *exporter, const char *log);
    void (*row)(struct exporter *exporter, enum export_name table, const struct row *row);
    /* Returns false if not everything was written. */
    bool (*close)(struct exporter *exporter);
};
/* The row without a name ends them. */
extern const struct export_form export_forms[];

struct exporter {
    const struct export_form *form;
    const struct command *command; /* for messages about files */
    const char *origin;            /* for kcidb: the submitter */
    char problem[256];             /* what no message has told yet; "" */
    void *state;                   /* the form's own data */
    unsigned logs, again;          /* logs written; logs known before */
};

/* Writes all rows of a log, unless the output has the log already. */
void export_log(struct exporter *exporter, const struct log_file *file);
/* Writes a description of the tables as Markdown. */
void export_schema(FILE *out);

/* ---- The forms ---- */

bool export_sqlite_open(struct exporter *exporter, const char *path);
bool export_sqlite_is_new(struct exporter *exporter, const char *log);
void export_sqlite_row(struct exporter *exporter, enum export_name table, const struct row *row);
bool export_sqlite_close(struct exporter *exporter);

bool export_csv_open(struct exporter *exporter, const char *path);
bool export_ndjson_open(struct exporter *exporter, const char *path);
bool export_kcidb_open(struct exporter *exporter, const char *path);
bool export_text_is_new(struct exporter *exporter, const char *log);
void export_csv_row(struct exporter *exporter, enum export_name table, const struct row *row);
void export_ndjson_row(struct exporter *exporter, enum export_name table, const struct row *row);
void export_kcidb_row(struct exporter *exporter, enum export_name table, const struct row *row);
bool export_text_close(struct exporter *exporter);
bool export_kcidb_close(struct exporter *exporter);
