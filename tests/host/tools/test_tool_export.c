/* SPDX-License-Identifier: BSD-2-Clause */
/* Logs in tables: each once, with the identity of the tested CPUs; and the documentation's queries run. */
#include "host/tools/log_maker.h"
#include "tests/host/tools/root.h"
#include "tools/pmucheck/command/command.h"
#include "tools/pmucheck/export/export.h"
#include "tools/text_file.h"
#include <cjson/cJSON.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct log_file file;

/* A run of the reference PMU on another machine: the tested CPU is the run's. */
static void a_log(const char *machine)
{
    made_begin();
    made_lines("# pmucheck version=0.1.0 commit=1a2b3c4 log=1");
    made_print("# machine vendor=X brand=\"Host, \\\"CPU\\\"\" signature=00060fb1 bios=B name=%s", machine);
    made_lines(
        "# options boot=\"quick\" qemu=\"run=a.b\"", "# date rtc=2026-01-31T12:00:00",
        "# cpu cpus=0-1 signature=00060fb1 microcode=00000000 core-type=0 threads-per-core=1 misc-enable=0",
        "# run pmu=reference:skylake",
        "# core-type id=0 cpus=0-1 kind=core signature=000506e3 version=4 gp=4x48 fixed=3x48 perfcap=000033c5",
        "# cpu cpus=0-1 signature=000506e3 microcode=000000f0 core-type=0 threads-per-core=2 misc-enable=850089",
        "# found cpus=0-1 LVTPC=0x10000", "# reset-differs way=acpi reset=2 cpu=1 reg=LVTPC first=0x0 now=0x10000",
        "# resets way=acpi state=works made=2 differences=1",
        "# budget tests=3 us=20000 repeats=20 events=0 cpus=2 suite-ms=9", "1..3", "# begin access.event-select",
        "# bits reg=IA32_PERFEVTSEL0 cpus=0-1 kept=0x7fff dropped=0x0 fault=0x80000", "ok 1 access.event-select",
        "# begin pmi.mask-set",
        "# fail pmi.mask-set label=lvtpc-not-masked cpus=0-1 got=0 want=1 reg=LVTPC bit=16 spec=\"SDM 3A, APIC\"",
        "# measure pmi.mask-set name=skid cpus=0-1 unit=events n=65 min=1 median=2.5 p99=4 max=4 hist=1:10",
        "# took pmi.mask-set us=1234", "not ok 2 pmi.mask-set", "ok 3 gp.exact # SKIP no version 2",
        "# erratum SKL91 core-type=0 area=counting state=not-provoked because=condition",
        "# erratum SKL179 core-type=0 area=inuse state=seen seen=2 asked=8 per-million=250000 test=inuse.pmi",
        "# good-for rr answer=no words=\"replaying programs\" because=\"gp.branches failed\"",
        "# microcode cpus=0-1 before=000000f0 after=000000f4 state=loaded",
        "# changed test=pmi.mask-set label=lvtpc-not-masked before=fail after=pass",
        "# changed erratum=SKL91 core-type=0 before=seen after=fixed", "# took run us=2000", "# took boot us=3000000");
    made_end("verdict=fail pass=1 fail=1 skip=1");
    made_read(&file, "dir/a, log.log");
}

static struct exporter export(const char *form, const char *output, const char *first, const char *second)
{
    struct exporter exporter = {.command = &command_export, .origin = "lab"};
    for (const struct export_form *f = export_forms; f->name; f++)
        if (strcmp(f->name, form) == 0)
            exporter.form = f;
    assert_true(exporter.form->open(&exporter, output));
    a_log(first);
    export_log(&exporter, &file);
    a_log(second);
    export_log(&exporter, &file);
    assert_true(exporter.form->close(&exporter));
    return exporter;
}

/* Returns the first column of a query's only row. */
static const char *asked(sqlite3 *db, const char *query)
{
    static char text[256];
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(db, query, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", query, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    snprintf(text, sizeof(text), "%s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return text;
}

CASE(a_log_is_in_the_database_once)
{
    sqlite3 *db;
    assert_int_equal(export("sqlite", at("x.sqlite"), "one", "two").logs, 2);
    struct exporter again = export("sqlite", at("x.sqlite"), "two", "three");
    assert_int_equal(again.logs, 1);
    assert_int_equal(again.again, 1);
    assert_int_equal(sqlite3_open(at("x.sqlite"), &db), SQLITE_OK);
    assert_string_equal(asked(db, "SELECT count(*) FROM logs"), "3");
    assert_string_equal(asked(db, "SELECT count(*) FROM results"), "9");
    assert_string_equal(asked(db, "SELECT brand FROM machines LIMIT 1"), "Host, \"CPU\"");
    assert_string_equal(asked(db, "SELECT signature || microcode || threads_per_core FROM runs WHERE machine = 'one'"),
                        "000506e3000000f02");
    assert_string_equal(asked(db, "SELECT typeof(median) || median FROM measures"), "real2.5");
    assert_string_equal(asked(db, "SELECT severity || register || bit FROM checks"), "highLVTPC16");
    assert_string_equal(asked(db, "SELECT count(*) FROM registers WHERE what = 'dropped'"), "0");
    assert_string_equal(asked(db, "SELECT count(*) || because FROM errata WHERE erratum = 'SKL91'"), "3condition");
    assert_string_equal(asked(db, "SELECT seen || test || what FROM errata WHERE state = 'seen'"),
                        "2inuse.pmimicrocode may use PMC3, its event select and its bits of the global registers");
    assert_string_equal(asked(db, "SELECT value FROM registers WHERE what = 'fault'"), "0x80000");
    sqlite3_close(db);
}

CASE(date_and_times_are_told)
{
    sqlite3 *db;
    export("sqlite", at("t.sqlite"), "one", "two");
    assert_int_equal(sqlite3_open(at("t.sqlite"), &db), SQLITE_OK);
    assert_string_equal(asked(db, "SELECT started || options || us FROM machines"),
                        "2026-01-31T12:00:00quick run=a.b3000000");
    assert_string_equal(asked(db, "SELECT us FROM runs"), "2000");
    assert_string_equal(asked(db, "SELECT us FROM results WHERE test = 'pmi.mask-set'"), "1234");
    assert_string_equal(asked(db, "SELECT us IS NULL FROM results WHERE test = 'gp.exact'"), "1");
    sqlite3_close(db);
}

CASE(resets_microcode_and_uses_have_tables)
{
    sqlite3 *db;
    export("sqlite", at("r.sqlite"), "one", "two");
    assert_int_equal(sqlite3_open(at("r.sqlite"), &db), SQLITE_OK);
    assert_string_equal(asked(db, "SELECT way || state || made || differences FROM resets WHERE machine = 'one'"),
                        "acpiworks21");
    assert_string_equal(asked(db, "SELECT way || reset || cpu || register || first || now FROM reset_differences"),
                        "acpi21LVTPC0x00x10000");
    assert_string_equal(asked(db, "SELECT cpus || before || after || state FROM microcode"),
                        "0-1000000f0000000f4loaded");
    assert_string_equal(
        asked(db, "SELECT name || label || before || after FROM microcode_changes WHERE what = 'label'"),
        "pmi.mask-setlvtpc-not-maskedfailpass");
    assert_string_equal(asked(db, "SELECT name || core_type || after FROM microcode_changes WHERE what = 'erratum'"),
                        "SKL910fixed");
    assert_string_equal(asked(db, "SELECT use || answer || because FROM uses"), "rrnogp.branches failed");
    assert_string_equal(asked(db, "SELECT count(*) FROM machines WHERE ended_by_reset IS NULL"), "2");
    sqlite3_close(db);
}

/* Tables of an older program are extended, with the missing columns. */
CASE(an_older_database_gets_new_columns)
{
    static const char older[] = "ALTER TABLE results DROP COLUMN us; ALTER TABLE machines DROP COLUMN us;"
                                "ALTER TABLE machines DROP COLUMN ended_by_reset; DROP TABLE resets;"
                                "ALTER TABLE machines DROP COLUMN options; ALTER TABLE machines DROP COLUMN started";
    sqlite3 *db;
    export("sqlite", at("o.sqlite"), "one", "two");
    assert_int_equal(sqlite3_open(at("o.sqlite"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, older, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(export("sqlite", at("o.sqlite"), "three", "one").logs, 1);
    assert_int_equal(sqlite3_open(at("o.sqlite"), &db), SQLITE_OK);
    assert_string_equal(asked(db, "SELECT count(*) FROM machines WHERE started IS NULL"), "2");
    assert_string_equal(asked(db, "SELECT started || us FROM machines WHERE machine = 'three'"),
                        "2026-01-31T12:00:003000000");
    assert_string_equal(asked(db, "SELECT count(us) FROM results"), "1");
    sqlite3_close(db);
}

static const char *text_of(const char *name)
{
    static char *text;
    size_t size;
    free(text);
    text = text_file_read("test", name, &size);
    assert_non_null(text);
    char *longer = realloc(text, size + 1);
    assert_non_null(longer);
    longer[size] = 0;
    return text = longer;
}

static unsigned lines_of(const char *text)
{
    unsigned count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

CASE(csv_is_written_anew_and_quoted)
{
    assert_int_equal(export("csv", at("csv"), "one", "two").logs, 2);
    assert_int_equal(export("csv", at("csv"), "one", "one").again, 1);
    assert_int_equal(export("csv", at("csv"), "one", "three").logs, 2);
    const char *text = text_of(at("csv/machines.csv"));
    assert_int_equal(lines_of(text), 3);
    assert_int_equal(strncmp(text, "log,boot,machine,brand,", 23), 0);
    assert_non_null(strstr(text, ",one,\"Host, \"\"CPU\"\"\",00060fb1,"));
    assert_int_equal(lines_of(text_of(at("csv/results.csv"))), 7);
}

CASE(each_line_of_ndjson_is_an_object)
{
    export("ndjson", at("x.ndjson"), "one", "two");
    assert_int_equal(export("ndjson", at("x.ndjson"), "two", "one").logs, 2);
    const char *text = text_of(at("x.ndjson"));
    unsigned results = 0;
    for (size_t length; *text; text += length + 1) {
        length = strcspn(text, "\n");
        cJSON *row = cJSON_ParseWithLength(text, length);
        assert_non_null(row);
        results += strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(row, "table")), "results") == 0;
        cJSON_Delete(row);
    }
    assert_int_equal(results, 6);
}

CASE(kcidb_has_what_its_schema_wants)
{
    export("kcidb", at("x.json"), "one", "two");
    cJSON *whole = cJSON_Parse(text_of(at("x.json")));
    assert_non_null(whole);
    cJSON *tests = cJSON_GetObjectItem(whole, "tests"), *failed = cJSON_GetArrayItem(tests, 1);
    assert_int_equal(cJSON_GetArraySize(tests), 6);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(whole, "builds")), 1);
    /* MISS, for a lost result, needs minor version 2. */
    assert_int_equal(cJSON_GetNumberValue(cJSON_GetObjectItem(cJSON_GetObjectItem(whole, "version"), "minor")), 2);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(failed, "status")), "FAIL");
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(failed, "path")), "pmucheck.pmi.mask-set");
    assert_string_equal(
        cJSON_GetStringValue(cJSON_GetObjectItem(failed, "build_id")),
        cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(whole, "builds"), 0), "id")));
    cJSON_Delete(whole);
}

/* Each block of SQL in docs/export.md is one valid query. */
CASE(the_documented_queries_run)
{
    static const char mark[] = "```sql\n";
    sqlite3 *db;
    unsigned queries = 0;
    export("sqlite", at("q.sqlite"), "one", "two");
    assert_int_equal(sqlite3_open(at("q.sqlite"), &db), SQLITE_OK);
    const char *text = text_of("docs/export.md");
    for (const char *at = strstr(text, mark); at; at = strstr(at, mark)) {
        sqlite3_stmt *statement;
        at += strlen(mark);
        const char *end = strstr(at, "```");
        assert_non_null(end);
        if (sqlite3_prepare_v2(db, at, (int)(end - at), &statement, NULL) != SQLITE_OK)
            fail_msg("%.*s: %s", (int)(end - at), at, sqlite3_errmsg(db));
        int step = sqlite3_step(statement);
        assert_true(step == SQLITE_ROW || step == SQLITE_DONE);
        /* These queries must return rows for this log: failures, verdicts, failing tests. */
        if (queries < 4)
            assert_int_equal(step, SQLITE_ROW);
        sqlite3_finalize(statement);
        queries++;
    }
    assert_int_equal(queries, 14);
    sqlite3_close(db);
}

/* A failed write is reported. */
CASE(a_bad_path_is_refused)
{
    for (const struct export_form *f = export_forms; f->name; f++) {
        struct exporter exporter = {.form = f, .command = &command_export, .origin = "lab"};
        assert_false(f->open(&exporter, "/no/such/directory/x"));
        f->close(&exporter);
    }
}

static int begin(void **state)
{
    (void)state;
    root_make();
    return 0;
}

static int end(void **state)
{
    log_free(&file);
    return root_remove(state);
}

int main(void)
{
    return run_cases_in((struct around_cases){.before = begin, .after = end});
}
