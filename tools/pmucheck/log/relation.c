/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/log/relation.h"
#include "tools/docs/errata_table.h"
#include "tools/pmucheck/log/severity.h"
#include "tools/pmucheck/log/told.h"
#include <sys/stat.h>
#include <time.h>

#define print(row, ...) arena_print((row)->arena, __VA_ARGS__)

static const char *const trust_name[] = {"checked", "unchecked", "damaged"};

static const char *number(const struct row *row, unsigned value)
{
    return print(row, "%u", value);
}

/* The text if it has letters. */
static const char *filled(const char *text, const char *otherwise)
{
    return text && text[0] ? text : otherwise;
}

/* ---- Logs and starts */

/* The time of the file's last write. */
static const char *written(struct arena *arena, const char *path)
{
    struct stat status;
    struct tm time;
    char text[32];
    if (stat(path, &status) != 0 || !gmtime_r(&status.st_mtime, &time))
        return NULL;
    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &time);
    return arena_copy(arena, text, strlen(text));
}

static const char *first_problem(const struct log_file *file)
{
    for_each_item (file->boots, boot)
        if (boot->problems.count)
            return boot->problems.item[0].text;
    return NULL;
}

static const struct log_record *machine(const struct row *row)
{
    return row->facts ? row->facts->machine : log_find(row->boot, NULL, "machine");
}

/* ---- Runs and results */

/* Microseconds of a result, of a run, or of the start. */
static const char *took(const struct row *row, const struct log_run *run, const struct log_result *result)
{
    uint64_t us;
    return facts_took(row->boot, run, result, &us) ? print(row, "%llu", (unsigned long long)us) : NULL;
}

static const char *kinds(const struct row *row)
{
    const char *text = "";
    for_each_item (row->facts->cores, core)
        text = arena_join(row->arena, text, ",", core->kind);
    return text;
}

/* "core on CPUs 0-7; atom on CPUs 8-15" */
static const char *core_types(const struct row *row)
{
    const char *text = "";
    for_each_item (row->facts->cores, core)
        text = arena_join(row->arena, text, "; ", print(row, "%s on CPUs %s", core->kind, core->cpus));
    return text;
}

static const char *tally(const struct row *row, enum log_outcome outcome)
{
    unsigned count[LOG_OUTCOMES + 1];
    log_tally(row->run, count);
    return number(row, count[outcome]);
}

/* Of a failure: that of its gravest check, or of the test as a whole if no check is named. */
static const char *severity(const struct row *row)
{
    const struct log_result *result = row->result;
    enum severity worst = SEVERITIES;
    if (result->outcome != LOG_FAIL && result->outcome != LOG_REVIEW)
        return NULL;
    for_each_record (row->boot, result, r)
        if (log_is(r, "fail") && log_value(r, "label")) {
            enum severity its = severity_of(result->id, log_value(r, "label"))->severity;
            worst = its < worst ? its : worst;
        }
    return severity_name[worst < SEVERITIES ? worst : severity_of(result->id, "")->severity];
}

static const char *erratum_what(const char *number)
{
    const struct errata_row *row = errata_row_of(number);
    return row ? row->what : NULL;
}

/* ---- The fields */

#define OF_ROW(name, value)                       \
    const char *row_##name(const struct row *row) \
    {                                             \
        return value;                             \
    }
#include "tools/pmucheck/log/relation.def"
#undef OF_ROW

void row_add(json_object *object, const struct row *row, const struct row_member *members)
{
    for (; members->name; members++) {
        const char *value = members->value(row);
        if (value && members->number)
            json_object_object_add(object, members->name, json_number_as(value));
        else
            json_add_text(object, members->name, value);
    }
}

struct row row_of_run(struct arena *arena, const struct log_file *file, const struct log_boot *boot,
                      const struct log_run *run, struct facts *facts)
{
    facts_read(arena, boot, run, facts);
    return (struct row){.arena = arena, .file = file, .boot = boot, .run = run, .facts = facts};
}
