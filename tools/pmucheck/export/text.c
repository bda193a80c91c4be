/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows as text: a directory with a CSV file for each table; one file of JSON lines, each with its table's name; a
 * submission to KernelCI's database. The first two extend existing files.
 */
#define _GNU_SOURCE /* tdestroy() */
#include "tools/json.h"
#include "tools/pmucheck/export/export.h"
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define HASH_DIGITS 16
#define ROW "{\"table\":\"" /* how each of JSON lines begins */

struct text {
    FILE *out[EXPORT_TABLES]; /* of CSV and JSON lines: memory, with the rows of the log that is being written */
    char *rows[EXPORT_TABLES];
    size_t size[EXPORT_TABLES];
    int file[EXPORT_TABLES]; /* -1: none, or it is standard output */
    int lock;                /* of CSV: the directory */
    void *known;             /* a tree of the hashes of the output's logs */
    struct arena arena;
    LIST(const char *) builds; /* of kcidb */
    const char *run;           /* of the next rows */
    const char *comment;
    bool some;
};

/* ---- Logs that the output has already */

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

bool export_text_is_new(struct exporter *exporter, const char *log)
{
    char *hash = strdup(log), **found = hash ? tsearch(hash, &((struct text *)exporter->state)->known, by_text) : NULL;
    if (!found) {
        fprintf(stderr, "pmucheck: out of memory\n");
        exit(99);
    }
    bool new = *found == hash;
    if (!new)
        free(hash);
    return new;
}

static bool is_known(const struct text *t, const char *log)
{
    return tfind(log, &t->known, by_text);
}

/* ---- Opening and closing */

static bool refuse(struct exporter *exporter, const char *path)
{
    snprintf(exporter->problem, sizeof(exporter->problem), "%.200s: %s", path, strerror(errno));
    return false;
}

static bool refuse_older(struct exporter *exporter, const char *path, const char *what)
{
    snprintf(exporter->problem, sizeof(exporter->problem),
             "%.150s: written by an older program, with %s: begin a new %s", path, what,
             exporter->form->commit == export_csv_commit ? "directory" : "file");
    return false;
}

static struct text *new_state(struct exporter *exporter)
{
    struct text *t = calloc(1, sizeof(struct text));
    if (!t) {
        fprintf(stderr, "pmucheck: out of memory\n");
        exit(99);
    }
    for (unsigned i = 0; i < EXPORT_TABLES; i++)
        t->file[i] = -1;
    t->lock = -1;
    exporter->state = t;
    return t;
}

/* Memory for the rows of a log. */
static bool open_rows(struct exporter *exporter, enum export_name table)
{
    struct text *t = exporter->state;
    t->out[table] = open_memstream(&t->rows[table], &t->size[table]);
    return t->out[table] || refuse(exporter, "memory");
}

/* Waits while another program writes the tables. */
static bool lock(struct exporter *exporter, int file, const char *path)
{
    if (flock(file, LOCK_EX | LOCK_NB) == 0)
        return true;
    if (errno != EWOULDBLOCK)
        return refuse(exporter, path);
    fprintf(stderr, "pmucheck export: another export writes %s; waiting for it\n", path);
    return flock(file, LOCK_EX) == 0 || refuse(exporter, path);
}

static bool write_all(int file, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t written = write(file, text, size);
        if (written < 0 && errno != EINTR)
            return false;
        text += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* Appends the rows of a table, or nothing. */
static bool append(struct exporter *exporter, enum export_name table, int file, const char *path)
{
    struct text *t = exporter->state;
    if (fflush(t->out[table]) != 0)
        return refuse(exporter, path);
    off_t before = lseek(file, 0, SEEK_END);
    if (write_all(file, t->rows[table], t->size[table]))
        return true;
    int problem = errno;
    if (before >= 0 && ftruncate(file, before) != 0)
        problem = errno;
    errno = problem;
    return refuse(exporter, path);
}

static void forget_rows(struct text *t)
{
    for (unsigned i = 0; i < EXPORT_TABLES; i++)
        if (t->out[i])
            rewind(t->out[i]);
}

bool export_text_close(struct exporter *exporter)
{
    struct text *t = exporter->state;
    for (unsigned i = 0; i < EXPORT_TABLES; i++) {
        if (t->out[i])
            fclose(t->out[i]);
        free(t->rows[i]);
        if (t->file[i] >= 0 && close(t->file[i]) != 0 && !exporter->stopped)
            exporter->stopped = !refuse(exporter, "the output was not written completely");
    }
    if (t->lock >= 0)
        close(t->lock);
    arena_free(&t->arena);
    tdestroy(t->known, free);
    free(t);
    exporter->state = NULL;
    return !exporter->stopped;
}

/* ---- Rows of a log that was not written whole, by a program that was killed or had no room, are at a file's end. */

/* The file's bytes from `first` on; *size of them. NULL, with *problem set, on failure. */
static char *read_from(struct exporter *exporter, int file, off_t first, size_t *size, const char *path)
{
    off_t end = lseek(file, 0, SEEK_END);
    *size = end > first ? (size_t)(end - first) : 0;
    char *text = malloc(*size + 1);
    if (!text || pread(file, text, *size, first) != (ssize_t)*size) {
        free(text);
        refuse(exporter, path);
        return NULL;
    }
    text[*size] = 0;
    return text;
}

/* Notes the logs that have a row in this text, which begins with `prefix` and the log's hash. Returns the length up to
 * the end of the last such row. */
static size_t note_logs(struct exporter *exporter, const char *text, size_t size, const char *prefix)
{
    size_t length = strlen(prefix), whole = 0;
    for (const char *line = text, *end; (end = memchr(line, '\n', size - (size_t)(line - text))); line = end + 1) {
        char hash[HASH_DIGITS + 1] = "";
        if (strncmp(line, prefix, length) != 0 || strspn(line + length, "0123456789abcdef") != HASH_DIGITS)
            continue;
        memcpy(hash, line + length, HASH_DIGITS);
        export_text_is_new(exporter, hash);
        whole = (size_t)(end - text) + 1;
    }
    return whole;
}

/* The length of this text, which begins with a row, up to the last row of a known log; 0 if there is none. */
static size_t known_length(const struct text *t, const char *text, size_t size)
{
    size_t whole = 0;
    for (const char *line = text, *end; (end = memchr(line, '\n', size - (size_t)(line - text))); line = end + 1) {
        char hash[HASH_DIGITS + 1] = "";
        strncpy(hash, line, HASH_DIGITS);
        if (is_known(t, hash))
            whole = (size_t)(end - text) + 1;
    }
    return whole;
}

/* A log is written whole or as the last one: rows of several unknown ones are of a logs.csv that lost its own. */
static bool are_of_one(const char *rows, size_t size)
{
    const char *first = rows;
    for (const char *line = rows, *end; (end = memchr(line, '\n', size - (size_t)(line - rows))); line = end + 1)
        if (strncmp(line, first, HASH_DIGITS) != 0)
            return false;
    return true;
}

static bool refuse_unlisted(struct exporter *exporter, const char *path)
{
    snprintf(exporter->problem, sizeof(exporter->problem),
             "%.100s: it has rows of several logs that logs.csv lacks: mend logs.csv, or begin a new directory", path);
    return false;
}

#define WINDOW (1 << 20) /* more than the rows of a log have in a table */

/* Cuts a table after the last row of a known log. */
static bool cut_rows(struct exporter *exporter, int file, off_t header, const char *path)
{
    off_t end = lseek(file, 0, SEEK_END);
    for (off_t window = WINDOW;; window *= 4) {
        off_t first = end - window > header ? end - window : header;
        size_t size, skipped = 0;
        char *text = read_from(exporter, file, first, &size, path);
        if (!text)
            return false;
        if (first > header) { /* in the middle of a row */
            const char *next = memchr(text, '\n', size);
            skipped = next ? (size_t)(next - text) + 1 : size;
        }
        size_t whole = known_length(exporter->state, text + skipped, size - skipped);
        bool one = are_of_one(text + skipped + whole, size - skipped - whole);
        free(text);
        if (!whole && first > header)
            continue;
        if (!one)
            return refuse_unlisted(exporter, path);
        off_t length = first + (off_t)(whole ? skipped + whole : 0);
        return length == end || ftruncate(file, length) == 0 || refuse(exporter, path);
    }
}

/* ---- CSV: a directory. A log counts once its row is in logs.csv, which is written last. */

static const char *csv_header(struct arena *arena, const struct export_table *table)
{
    const char *header = table->column[0].name;
    for (unsigned c = 1; table->column[c].name; c++)
        header = arena_print(arena, "%s,%s", header, table->column[c].name);
    return arena_print(arena, "%s\n", header);
}

static const char *csv_name(struct text *t, const char *path, enum export_name table)
{
    return arena_print(&t->arena, "%s/%s.csv", path, export_tables[table].name);
}

bool export_is_table(struct span text)
{
    struct span rest = text;
    bool found = span_skip(&rest, ROW);
    for (unsigned i = 0; i < EXPORT_TABLES; i++) {
        bool same = true;
        rest = text;
        for (unsigned c = 0; c < 3; c++) /* an older program's had fewer columns */
            same &= span_skip(&rest, export_tables[i].column[c].name) && span_skip(&rest, ",");
        found |= same;
    }
    return found;
}

/* Refuses to add rows with more columns than the file's first line names; a header of which a part is missing is
 * written again. */
static bool check_header(struct exporter *exporter, int file, const char *header, const char *name)
{
    size_t size = strlen(header);
    char *old = calloc(1, size + 1);
    ssize_t have = old ? pread(file, old, size, 0) : -1;
    bool begins = have >= 0 && strncmp(old, header, (size_t)have) == 0;
    free(old);
    if (have < 0)
        return refuse(exporter, name);
    if (!begins)
        return refuse_older(exporter, name, "other columns");
    if ((size_t)have == size)
        return true;
    return (ftruncate(file, 0) == 0 && write_all(file, header, size)) || refuse(exporter, name);
}

static bool open_table(struct exporter *exporter, const char *path, enum export_name table)
{
    struct text *t = exporter->state;
    const char *name = csv_name(t, path, table), *header = csv_header(&t->arena, &export_tables[table]);
    off_t length = (off_t)strlen(header);
    size_t size;
    t->file[table] = open(name, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (t->file[table] < 0)
        return refuse(exporter, name);
    if (!check_header(exporter, t->file[table], header, name) || !open_rows(exporter, table))
        return false;
    if (table != EXPORT_LOGS)
        return cut_rows(exporter, t->file[table], length, name);
    char *text = read_from(exporter, t->file[table], length, &size, name);
    if (!text)
        return false;
    size_t whole = note_logs(exporter, text, size, "");
    free(text);
    return whole == size || ftruncate(t->file[table], length + (off_t)whole) == 0 || refuse(exporter, name);
}

bool export_csv_open(struct exporter *exporter, const char *path)
{
    struct text *t = new_state(exporter);
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return refuse(exporter, path);
    t->lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (t->lock < 0)
        return refuse(exporter, path);
    if (!lock(exporter, t->lock, path) || !open_table(exporter, path, EXPORT_LOGS))
        return false;
    for (unsigned i = 0; i < EXPORT_TABLES; i++)
        if (i != EXPORT_LOGS && !open_table(exporter, path, (enum export_name)i))
            return false;
    return true;
}

bool export_csv_commit(struct exporter *exporter)
{
    struct text *t = exporter->state;
    bool good = true;
    for (unsigned i = 0; good && i < EXPORT_TABLES; i++)
        if (i != EXPORT_LOGS)
            good = append(exporter, (enum export_name)i, t->file[i], export_tables[i].name);
    good = good && append(exporter, EXPORT_LOGS, t->file[EXPORT_LOGS], "logs");
    forget_rows(t);
    return good;
}

/* ---- JSON lines: one file, or standard output. A log counts once its row of "logs" is there, which is its last one.
 */

#define LOGS_ROW ROW "logs\",\"log\":\""

/* Cuts the file after the last row of "logs". */
static bool cut_lines(struct exporter *exporter, int file, const char *path)
{
    size_t size;
    char *text = read_from(exporter, file, 0, &size, path);
    if (!text)
        return false;
    bool older = strncmp(text, LOGS_ROW, strlen(LOGS_ROW)) == 0;
    if (strncmp(text, ROW, size < strlen(ROW) ? size : strlen(ROW)) != 0) {
        free(text);
        snprintf(exporter->problem, sizeof(exporter->problem),
                 "its first line is no row of a table: name another file");
        return false;
    }
    size_t whole = note_logs(exporter, text, size, LOGS_ROW);
    free(text);
    if (older)
        return refuse_older(exporter, path, "rows in another order");
    return whole == size || ftruncate(file, (off_t)whole) == 0 || refuse(exporter, path);
}

bool export_ndjson_open(struct exporter *exporter, const char *path)
{
    struct text *t = new_state(exporter);
    struct stat status;
    if (!open_rows(exporter, EXPORT_LOGS) || !open_rows(exporter, EXPORT_MACHINES))
        return false;
    if (strcmp(path, "-") == 0) {
        t->file[0] = dup(STDOUT_FILENO);
        return t->file[0] >= 0 || refuse(exporter, path);
    }
    bool regular = stat(path, &status) != 0 || S_ISREG(status.st_mode);
    t->file[0] = open(path, (regular ? O_RDWR : O_WRONLY) | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (t->file[0] < 0)
        return refuse(exporter, path);
    return !regular || (lock(exporter, t->file[0], path) && cut_lines(exporter, t->file[0], path));
}

bool export_ndjson_commit(struct exporter *exporter)
{
    struct text *t = exporter->state;
    bool good = append(exporter, EXPORT_MACHINES, t->file[0], "the output") &&
                append(exporter, EXPORT_LOGS, t->file[0], "the output");
    forget_rows(t);
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

void export_csv_row(struct exporter *exporter, enum export_name table, const char *const *values)
{
    FILE *out = ((struct text *)exporter->state)->out[table];
    for (unsigned i = 0; export_tables[table].column[i].name; i++) {
        if (i)
            fputc(',', out);
        put_csv(out, values[i] ? values[i] : "");
    }
    fputc('\n', out);
}

/* ---- JSON */

void export_ndjson_row(struct exporter *exporter, enum export_name table, const char *const *values)
{
    json_object *object = json_object_new_object();
    json_add_text(object, "table", export_tables[table].name);
    for (unsigned i = 0; export_tables[table].column[i].name; i++) {
        const struct export_column *column = &export_tables[table].column[i];
        if (!values[i] || (column->type != EXPORT_TEXT && !values[i][0]))
            json_object_object_add(object, column->name, NULL);
        else if (column->type != EXPORT_TEXT && is_number(values[i]))
            json_object_object_add(object, column->name, json_number_as(values[i]));
        else
            json_add_text(object, column->name, values[i]);
    }
    FILE *out = ((struct text *)exporter->state)->out[table == EXPORT_LOGS ? EXPORT_LOGS : EXPORT_MACHINES];
    put_json(out, object, false);
    fputc('\n', out);
}

/* ---- KCIDB, schema 4: a checkout and a build for each image, a test for each result. Tests come first. */

bool export_kcidb_open(struct exporter *exporter, const char *path)
{
    struct text *t = new_state(exporter);
    t->out[0] = exporter->out ? exporter->out : strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (!t->out[0])
        return refuse(exporter, path);
    /* 4.2 is the first version with MISS. */
    fprintf(t->out[0], "{\"version\":{\"major\":4,\"minor\":2},\"tests\":[");
    return true;
}

static const char *kcidb_status(const char *outcome)
{
    static const char *const words[][2] = {{"pass", "PASS"}, {"fail", "FAIL"},   {"known", "FAIL"}, {"review", "DONE"},
                                           {"skip", "SKIP"}, {"error", "ERROR"}, {"lost", "MISS"}};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(words[i][0], outcome) == 0)
            return words[i][1];
    return "DONE";
}

static void kcidb_result(struct exporter *exporter, struct text *t, const char *const *values)
{
    const char *outcome = export_value(EXPORT_RESULTS, values, "outcome");
    const char *test = export_value(EXPORT_RESULTS, values, "test"), *build = t->builds.item[t->builds.count - 1];
    json_object *object = json_object_new_object(), *environment = json_object_new_object(),
                *misc = json_object_new_object();
    json_add_text(
        object, "id",
        arena_print(&t->arena, "%s:%s-%s", exporter->origin, t->run, export_value(EXPORT_RESULTS, values, "number")));
    json_add_text(object, "build_id", arena_print(&t->arena, "%s:%s", exporter->origin, build));
    json_add_text(object, "origin", exporter->origin);
    json_add_text(object, "path", arena_print(&t->arena, "pmucheck.%s", test[0] ? test : "unknown"));
    json_add_text(object, "status", kcidb_status(outcome));
    json_add_bool(object, "waived", strcmp(outcome, "known") == 0);
    json_add_text(object, "comment", export_value(EXPORT_RESULTS, values, "reason"));
    if (export_value(EXPORT_RESULTS, values, "us")[0])
        json_add_number(object, "duration", strtod(export_value(EXPORT_RESULTS, values, "us"), NULL) / 1e6);
    json_add_text(environment, "comment", t->comment);
    json_object_object_add(object, "environment", environment);
    json_add_text(misc, "outcome", outcome);
    json_add_text(misc, "severity", export_value(EXPORT_RESULTS, values, "severity"));
    json_object_object_add(object, "misc", misc);
    fprintf(t->out[0], "%s\n", t->some ? "," : "");
    put_json(t->out[0], object, false);
    t->some = true;
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

void export_kcidb_row(struct exporter *exporter, enum export_name table, const char *const *values)
{
    struct text *t = exporter->state;
    if (table == EXPORT_MACHINES) {
        const char *version = export_value(table, values, "version"),
                   *commit = export_value(table, values, "commit_id");
        kcidb_build(t, arena_print(&t->arena, "pmucheck-%s-%s", version[0] ? version : "unknown",
                                   commit[0] ? commit : "unknown"));
    } else if (table == EXPORT_RUNS) {
        t->run = arena_print(&t->arena, "%s", export_value(table, values, "run"));
        t->comment = arena_print(&t->arena, "%s, %s, signature %s, microcode %s",
                                 export_value(table, values, "machine"), export_value(table, values, "brand"),
                                 export_value(table, values, "signature"), export_value(table, values, "microcode"));
    } else if (table == EXPORT_RESULTS) {
        kcidb_result(exporter, t, values);
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
    if (fflush(t->out[0]) != 0 || ferror(t->out[0]))
        exporter->stopped = !refuse(exporter, "the output was not written completely");
    if (exporter->out || t->out[0] == stdout)
        t->out[0] = NULL; /* others close it */
    return export_text_close(exporter);
}
