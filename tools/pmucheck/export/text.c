/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows as text: a directory with a CSV file for each table; one file of JSON lines, each with its table's name; a
 * submission to KernelCI's database. The first two extend existing files.
 */
#define _GNU_SOURCE /* tdestroy() */
#include "tools/pmucheck/export/export.h"
#include "tools/put.h"
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define HASH_DIGITS 16

struct text {
    FILE *out[EXPORT_TABLES];
    void *known; /* a tree of the hashes of the output's logs */
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

/* Notes the logs of an existing file, from its lines with `prefix` and 16 digits after it. */
static void read_known(struct exporter *exporter, const char *path, const char *prefix)
{
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t room = 0, length = strlen(prefix);
    while (in && getline(&line, &room, in) > 0)
        if (strncmp(line, prefix, length) == 0 && strspn(line + length, "0123456789abcdef") == HASH_DIGITS) {
            line[length + HASH_DIGITS] = 0;
            export_text_is_new(exporter, line + length);
        }
    free(line);
    if (in)
        fclose(in);
}

/* ---- Opening and closing */

static bool refuse(struct exporter *exporter, const char *path)
{
    snprintf(exporter->problem, sizeof(exporter->problem), "%.200s: %s", path, strerror(errno));
    return false;
}

static struct text *new_state(struct exporter *exporter)
{
    exporter->state = calloc(1, sizeof(struct text));
    if (!exporter->state) {
        fprintf(stderr, "pmucheck: out of memory\n");
        exit(99);
    }
    return exporter->state;
}

static bool open_one(struct exporter *exporter, const char *path, const char *mode)
{
    struct text *t = exporter->state;
    t->out[0] = strcmp(path, "-") == 0 ? stdout : fopen(path, mode);
    return t->out[0] || refuse(exporter, path);
}

static const char *csv_header(struct arena *arena, const struct export_table *table)
{
    const char *header = table->column[0].name;
    for (unsigned c = 1; table->column[c].name; c++)
        header = arena_print(arena, "%s,%s", header, table->column[c].name);
    return header;
}

static bool begins_with(const char *path, const char *header)
{
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t room = 0, length = strlen(header);
    bool same = in && getline(&line, &room, in) > 0 && strncmp(line, header, length) == 0 && line[length] == '\n';
    free(line);
    if (in)
        fclose(in);
    return same;
}

/* Refuses to add rows with more columns than the file's first line names. */
static bool refuse_older(struct exporter *exporter, const char *path)
{
    snprintf(exporter->problem, sizeof(exporter->problem),
             "%.150s: written by an older program, with other columns: begin a new directory", path);
    return false;
}

bool export_csv_open(struct exporter *exporter, const char *path)
{
    struct text *t = new_state(exporter);
    char name[4096];
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return refuse(exporter, path);
    snprintf(name, sizeof(name), "%s/logs.csv", path);
    read_known(exporter, name, "");
    for (unsigned i = 0; i < EXPORT_TABLES; i++) {
        const struct export_table *table = &export_tables[i];
        const char *header = csv_header(&t->arena, table);
        snprintf(name, sizeof(name), "%s/%s.csv", path, table->name);
        t->out[i] = fopen(name, "a");
        if (!t->out[i])
            return refuse(exporter, name);
        fseek(t->out[i], 0, SEEK_END);
        bool empty = ftell(t->out[i]) == 0;
        if (empty)
            fprintf(t->out[i], "%s\n", header);
        else if (!begins_with(name, header))
            return refuse_older(exporter, name);
    }
    return true;
}

bool export_ndjson_open(struct exporter *exporter, const char *path)
{
    new_state(exporter);
    if (strcmp(path, "-") != 0)
        read_known(exporter, path, "{\"table\":\"logs\",\"log\":\"");
    return open_one(exporter, path, "a");
}

bool export_text_close(struct exporter *exporter)
{
    struct text *t = exporter->state;
    bool good = true;
    for (unsigned i = 0; i < EXPORT_TABLES; i++) {
        if (!t->out[i])
            continue;
        good &= !ferror(t->out[i]) && fflush(t->out[i]) == 0;
        if (t->out[i] != stdout)
            good &= fclose(t->out[i]) == 0;
    }
    if (!good)
        refuse(exporter, "the output was not written completely");
    arena_free(&t->arena);
    tdestroy(t->known, free);
    free(t);
    exporter->state = NULL;
    return good;
}

/* ---- CSV: RFC 4180, except that lines end with LF */

static void put_csv(FILE *out, const char *value)
{
    if (!strpbrk(value, ",\"\n\r")) {
        fputs(value, out);
        return;
    }
    fputc('"', out);
    for (; *value; value++)
        fprintf(out, *value == '"' ? "\"\"" : "%c", *value);
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

void export_ndjson_row(struct exporter *exporter, enum export_name table, const char *const *values)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "table", export_tables[table].name);
    for (unsigned i = 0; export_tables[table].column[i].name; i++) {
        const struct export_column *column = &export_tables[table].column[i];
        if (!values[i] || (column->type != EXPORT_TEXT && !values[i][0]))
            cJSON_AddNullToObject(object, column->name);
        else if (column->type != EXPORT_TEXT && is_number(values[i]))
            cJSON_AddRawToObject(object, column->name, values[i]);
        else
            cJSON_AddStringToObject(object, column->name, values[i]);
    }
    put_json(((struct text *)exporter->state)->out[0], object, false);
    fputc('\n', ((struct text *)exporter->state)->out[0]);
}

/* ---- KCIDB, schema 4: a checkout and a build for each image, a test for each result. Tests come first. */

bool export_kcidb_open(struct exporter *exporter, const char *path)
{
    new_state(exporter);
    if (!open_one(exporter, path, "w"))
        return false;
    /* 4.2 is the first version with MISS. */
    fprintf(((struct text *)exporter->state)->out[0], "{\"version\":{\"major\":4,\"minor\":2},\"tests\":[");
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
    cJSON *object = cJSON_CreateObject(), *environment = cJSON_CreateObject(), *misc = cJSON_CreateObject();
    cJSON_AddStringToObject(
        object, "id",
        arena_print(&t->arena, "%s:%s-%s", exporter->origin, t->run, export_value(EXPORT_RESULTS, values, "number")));
    cJSON_AddStringToObject(object, "build_id", arena_print(&t->arena, "%s:%s", exporter->origin, build));
    cJSON_AddStringToObject(object, "origin", exporter->origin);
    cJSON_AddStringToObject(object, "path", arena_print(&t->arena, "pmucheck.%s", test[0] ? test : "unknown"));
    cJSON_AddStringToObject(object, "status", kcidb_status(outcome));
    cJSON_AddBoolToObject(object, "waived", strcmp(outcome, "known") == 0);
    cJSON_AddStringToObject(object, "comment", export_value(EXPORT_RESULTS, values, "reason"));
    if (export_value(EXPORT_RESULTS, values, "us")[0])
        cJSON_AddNumberToObject(object, "duration", strtod(export_value(EXPORT_RESULTS, values, "us"), NULL) / 1e6);
    cJSON_AddStringToObject(environment, "comment", t->comment);
    cJSON_AddItemToObject(object, "environment", environment);
    cJSON_AddStringToObject(misc, "outcome", outcome);
    cJSON_AddStringToObject(misc, "severity", export_value(EXPORT_RESULTS, values, "severity"));
    cJSON_AddItemToObject(object, "misc", misc);
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
    return export_text_close(exporter);
}
