/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One result, everywhere the same: a test and random walks with each outcome, and a run that is refused, as the image
 * writes them. From the serial log and from the short log of photos alike, every command must find the same results.
 */
#include "harness/report/outcomes.h"
#include "harness/report/report_text.h"
#include "harness/report/summary.h"
#include "host/tools/report_rig.h"
#include "kernel/log/log.h"
#include "tests/host/tools/root.h"
#include "tools/pmucheck/baseline/baseline.h"
#include "tools/pmucheck/compare/compare.h"
#include "tools/pmucheck/export/export.h"
#include "tools/pmucheck/judge/judge.h"
#include "tools/pmucheck/report/expect.h"
#include "tools/pmucheck/scan/scan.h"
#include <cjson/cJSON.h>
#include <sqlite3.h>

/* ---- The image's side */

static const struct test_declaration cycles = {.id = "gp.cycles"}, /* always passes */
    instructions = {.id = "gp.instructions", .title = "counts each one", .spec = "SDM 3B, Counting"},
                                     walks = {
                                         .id = WALKS_TEST, .title = "does as its model", .spec = "SDM 3B, Counting"};
static const struct registry registry = {{&cycles, &instructions}, 2};
static const char names[] = "gp.cycles\ngp.instructions\n";

/* What is tried: which result has which outcome. */
struct tried {
    const struct test_declaration *test; /* NULL: the run is refused */
    const char *label;
    enum outcome outcome;
};

static struct sink *sink;

void log_add_sink(struct sink *added)
{
    sink = added;
}

static void say(const char *line)
{
    char ended[2000];
    made_line(line);
    sink->write(ended, (size_t)snprintf(ended, sizeof(ended), "%s\r\n", line));
}

/* Random walks are known by the erratum that explains them, and have no failed check then. */
static void fold(struct folded *folded, const struct tried *tried)
{
    struct check check = {.label = tried->label,
                          .bit = NO_BIT,
                          .failed = 1,
                          .held = tried->outcome == OUTCOME_REVIEW ? 8 : 0, /* it fails now and then */
                          .got = 1,
                          .outcome = (u8)tried->outcome,
                          .erratum = "SKL91"};
    bool explained = tried->test == &walks && tried->outcome == OUTCOME_KNOWN;
    fold_clear(folded);
    if (tried->outcome == OUTCOME_ERROR)
        fold_lost(folded, 0, REASON_NONE, "for a reason");
    folded->outcome = tried->outcome;
    if (tried->outcome != OUTCOME_PASS && tried->outcome != OUTCOME_FAIL)
        snprintf(folded->reason, sizeof(folded->reason), tried->outcome == OUTCOME_KNOWN ? "SKL91" : "for a reason");
    if (tried->outcome >= OUTCOME_KNOWN && tried->outcome <= OUTCOME_FAIL && !explained)
        fold_failure(folded, &check, 0);
    if (explained)
        say("# lockstep erratum=SKL91 as=far-transfers-twice cpus=0");
}

static void say_result(u32 number, const struct test_declaration *test, const struct tried *tried,
                       struct outcomes *outcomes, struct totals *totals)
{
    static const struct pmu_caps caps;
    static struct folded folded;
    static char line[REPORT_LINE];
    static const struct tried passing = {.outcome = OUTCOME_PASS};
    snprintf(line, sizeof(line), "# begin %s", test->id);
    say(line);
    fold(&folded, tried->test == test ? tried : &passing);
    for (unsigned i = 0; i < folded.parts; i++)
        say(report_part(line, test->id, &folded.part[i]));
    for (unsigned i = 0; i < folded.failures; i++)
        say(report_failure(line, &caps, test, &folded.failure[i], 0));
    say(report_result(line, number, test->id, &folded));
    totals_add(totals, &test->needs, folded.outcome, folded.code, folded.reason);
    outcomes_note(outcomes, test, folded.outcome);
}

static void say_results(const struct tried *tried, struct totals *totals)
{
    static struct outcomes outcomes;
    static char line[OUTCOMES_LINE];
    outcomes_begin(&outcomes, &registry);
    say("1..3");
    say_result(1, &cycles, tried, &outcomes, totals);
    say_result(2, &instructions, tried, &outcomes, totals);
    say_result(3, &walks, tried, &outcomes, totals);
    say(outcomes_line(line, &outcomes));
}

/* Both logs of a run: of the serial line, and from photos of the screen. */
static struct log_file logs[2];

static void read_photos(void)
{
    static struct scan scan;
    static char part[4000];
    const struct scan_series *more;
    const struct qr_series *series = summary_results();
    char *shown;
    size_t size;
    scan_free(&scan);
    for (unsigned i = 1; i <= qr_series_parts(series, 600); i++)
        scan_add(&scan, qr_series_part(series, i, 600, part), "photo");
    FILE *out = open_memstream(&shown, &size);
    scan_write(out, scan_text(&scan, scan_find(&scan, QR_SERIES_RESULTS, &more)), names, 1);
    fclose(out);
    log_read(&logs[1], "photos.log", shown, size);
    free(shown);
}

static void make(const struct tried *tried)
{
    static char line[REPORT_LINE], result[REPORT_LINE + 40];
    struct totals totals = {0};
    log_free(&logs[0]);
    log_free(&logs[1]);
    made_clear();
    summary_start();
    say("KTAP version 1");
    say("# pmucheck version=0.1.0 commit=1a2b3c4 log=1");
    say("# machine vendor=GenuineIntel brand=x signature=000506e3 hypervisor=none cpus=1 name=lab");
    say("# cpu cpus=0 signature=000506e3 microcode=000000f0 core-type=0 threads-per-core=2 misc-enable=850089");
    say("# run pmu=reference:skylake");
    say("# core-type id=0 cpus=0 kind=core signature=000506e3 version=4 gp=4x48 fixed=3x48 perfcap=000033c5");
    if (tried->test) {
        say_results(tried, &totals);
    } else {
        say("1..1");
        say("not ok 1 start # ERROR not enough memory");
        totals.count[OUTCOME_ERROR]++;
    }
    report_totals(line, &totals);
    snprintf(result, sizeof(result), "# result %s code=%s", line, summary_code(line));
    say(result);
    made_end(line);
    log_read(&logs[0], "serial.log", made.text, strlen(made.text));
    read_photos();
}

/* ---- The other side: what each command finds. All of it is compared with this. */

struct want {
    const char *id, *outcome;
    bool fails; /* fail or review */
    enum log_status status;
};

static unsigned times(const char *words)
{
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, words)); at += strlen(words))
        count++;
    return count;
}

static bool has_line(const char *begins, const char *words)
{
    for (const char *at = strstr(text, begins); at; at = strstr(at + 1, begins)) {
        const char *end = strchr(at, '\n'), *found = strstr(at, words);
        if ((at == text || at[-1] == '\n' || at[-1] == ' ') && found && (!end || found < end))
            return true;
    }
    return false;
}

static void check_text(const struct log_file *file, const struct want *want)
{
    char begins[80];
    written("text", file);
    snprintf(begins, sizeof(begins), "%-8s %s", want->outcome, want->id);
    assert_int_equal(times(begins), strcmp(want->outcome, "pass") != 0 && strcmp(want->outcome, "skip") != 0);
    assert_int_equal(times("  fail  "), strcmp(want->outcome, "fail") == 0);
    snprintf(begins, sizeof(begins), " 1 %s", want->outcome);
    if (strcmp(want->outcome, "pass") != 0)
        assert_true(has_line("verdict  ", begins));
}

static void check_json(const struct log_file *file, const struct want *want)
{
    cJSON *json = cJSON_Parse(written("json", file)), *boot = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "boots"), 0);
    const cJSON *run = cJSON_GetArrayItem(cJSON_GetObjectItem(boot, "runs"), 0), *result;
    unsigned found = 0;
    assert_int_equal(cJSON_GetObjectItem(boot, "status")->valueint, want->status);
    cJSON_ArrayForEach(result, cJSON_GetObjectItem(run, "results"))
    {
        bool it = strcmp(cJSON_GetObjectItem(result, "id")->valuestring, want->id) == 0;
        assert_string_equal(cJSON_GetObjectItem(result, "outcome")->valuestring, it ? want->outcome : "pass");
        found += it;
    }
    assert_int_equal(found, 1);
    assert_int_equal(cJSON_GetObjectItem(cJSON_GetObjectItem(run, "totals"), want->outcome)->valueint,
                     cJSON_GetObjectItem(cJSON_GetObjectItem(boot, "totals"), want->outcome)->valueint);
    cJSON_Delete(json);
}

static void check_junit(const struct log_file *file, const struct want *want)
{
    bool error = strcmp(want->outcome, "error") == 0, skipped = strcmp(want->outcome, "skip") == 0;
    char words[200];
    written("junit", file);
    skipped |= strcmp(want->outcome, "known") == 0;
    snprintf(words, sizeof(words), "failures=\"%d\" errors=\"%d\" skipped=\"%d\"", want->fails, error, skipped);
    assert_int_equal(times(words), 2); /* of the suite, and of all */
    assert_int_equal(times("<failure "), want->fails);
    assert_int_equal(times("message=\"\""), 0);
    snprintf(words, sizeof(words), "name=\"%s\"", want->id);
    assert_int_equal(times(words), 1);
}

static void check_ktap(const struct log_file *file, const struct want *want)
{
    bool bad = want->fails || strcmp(want->outcome, "error") == 0;
    char words[80];
    written("ktap", file);
    assert_int_equal(times("not ok "), bad ? 2 : 0); /* the result, and its run */
    snprintf(words, sizeof(words), " %s", want->id);
    assert_true(has_line(bad ? "not ok " : "ok ", words));
    written("lava", file);
    snprintf(words, sizeof(words), "TEST_CASE_ID=%s RESULT=%s", want->id,
             strcmp(want->outcome, "review") == 0 ? "unknown"
             : bad                                ? "fail"
             : strcmp(want->outcome, "skip") == 0 ? "skip"
                                                  : "pass");
    assert_int_equal(times(words), 1);
}

/* A list made from a log accepts that log. */
static void check_expect(struct log_file *file, const struct want *want, const char *label)
{
    struct expect expect = {0};
    char row[80];
    written("expect", file);
    snprintf(row, sizeof(row), "%s %s 0.1.0", want->id, label ? label : "");
    assert_int_equal(times(row), want->fails);
    assert_int_equal(expect_read(&expect, text, strlen(text)), 0);
    assert_int_equal(expect.rows.count, want->fails);
    expect_apply(&expect, file, stderr);
    assert_int_equal(expect_status(file), want->fails ? STATUS_PASS : want->status);
    assert_int_equal(expect_tell_gone(&expect, "list", stderr), 0);
    expect_free(&expect);
}

static void check_judge(const struct log_file *file, const struct want *want)
{
    FILE *out = text_new();
    enum log_status status = rejudge(out, NULL, file);
    fclose(out);
    if (strcmp(want->outcome, "known") != 0) /* by an erratum that this check may not be about */
        assert_int_equal(status, want->status);
    assert_int_equal(times("no present test has this check"), 0);
}

/* Each is compared with a log in which all pass. */
static void check_baseline(const struct log_file *file, const struct want *want)
{
    static const struct tried passing = {&cycles, "", OUTCOME_PASS};
    const struct baseline_note note = {"log", "who", "why", "2026-01-01"};
    struct arena arena = {0};
    struct facts facts;
    struct baseline_findings findings;
    bool bad = want->fails || strcmp(want->outcome, "error") == 0;
    struct log_file kept = *file;
    logs[file - logs] = (struct log_file){0};
    make(&passing);
    facts_read(&arena, &logs[0].boots.item[0], &logs[0].boots.item[0].runs.item[0], &facts);
    json_object *baseline = baseline_new(&facts);
    baseline_accept(baseline, &facts, &note);
    facts_read(&arena, &kept.boots.item[0], &kept.boots.item[0].runs.item[0], &facts);
    baseline_judge(&arena, baseline, &facts, &findings);
    unsigned about = 0;
    for (unsigned i = 0; i < findings.list.count; i++)
        about += strcmp(findings.list.item[i].subject, want->id) == 0;
    assert_int_equal(about > 0, strcmp(want->outcome, "pass") != 0);
    assert_int_equal(findings.count[BASELINE_WORSE] > 0, bad && strcmp(want->id, "start") != 0);
    json_object_put(baseline);
    arena_free(&arena);
    log_free(&kept);
}

/* The two logs side by side: the same outcome, and in the findings the same name. */
static void check_compare(const struct want *want)
{
    const struct compare_options options = {0};
    static struct sheet sheet;
    bool finding = want->fails || strcmp(want->outcome, "error") == 0;
    char words[80];
    FILE *out = text_new();
    sheet_begin(&sheet, 2);
    sheet_add(&sheet, &logs[0]);
    sheet_add(&sheet, &logs[1]);
    sheet_finish(&sheet);
    compare_text(out, &sheet, &options);
    sheet_free(&sheet);
    fclose(out);
    snprintf(words, sizeof(words), "%s on 2 of 2 machines", want->id);
    assert_int_equal(has_line(want->outcome, " on 2 of 2 machines"), finding);
    if (finding)
        assert_true(has_line(want->outcome, want->id));
    assert_int_equal(times("outcome"), 0); /* a row that differs */
    snprintf(words, sizeof(words), "2 machines, 1 model: 2 %s",
             finding                       ? want->outcome
             : want->status == STATUS_PASS ? "pass"
                                           : "untested");
    assert_true(times(words) == 1);
}

static int counted(void *count, int columns, char **values, char **titles)
{
    (void)columns, (void)titles;
    *(int *)count = atoi(values[0]);
    return 0;
}

static void check_export(const struct want *want)
{
    struct exporter exporter = {.form = export_forms};
    char query[200];
    int count = -1;
    sqlite3 *db;
    root_make();
    assert_true(exporter.form->open(&exporter, at("all.db")));
    export_log(&exporter, &logs[0]);
    export_log(&exporter, &logs[1]);
    assert_true(exporter.form->close(&exporter));
    assert_int_equal(sqlite3_open(at("all.db"), &db), SQLITE_OK);
    snprintf(query, sizeof(query), "SELECT count(*) FROM results WHERE test='%s' AND outcome='%s'", want->id,
             want->outcome);
    assert_int_equal(sqlite3_exec(db, query, counted, &count, NULL), SQLITE_OK);
    assert_int_equal(count, 2);
    sqlite3_close(db);
    root_remove(NULL);
}

/* ---- The table of all */

static void check_all(const struct tried *tried)
{
    static const char *const outcomes[] = {"none", "pass", "skip", "known", "review", "fail", "error"};
    static const enum log_status statuses[] = {STATUS_ERROR,  STATUS_PASS, STATUS_PASS, STATUS_PASS,
                                               STATUS_REVIEW, STATUS_FAIL, STATUS_ERROR};
    const struct want want = {tried->test ? tried->test->id : "start", outcomes[tried->outcome],
                              tried->outcome == OUTCOME_FAIL || tried->outcome == OUTCOME_REVIEW,
                              statuses[tried->outcome]};
    make(tried);
    check_compare(&want);
    check_export(&want);
    for (unsigned i = 0; i < 2; i++) {
        make(tried);
        assert_int_equal(logs[i].boots.count, 1);
        if (logs[i].boots.item[0].problems.count)
            fail_msg("%s %s: %s: %s", want.id, want.outcome, logs[i].path, logs[i].boots.item[0].problems.item[0].text);
        assert_int_equal(log_status(&logs[i]), want.status);
        check_text(&logs[i], &want);
        check_json(&logs[i], &want);
        check_junit(&logs[i], &want);
        check_ktap(&logs[i], &want);
        check_judge(&logs[i], &want);
        check_expect(&logs[i], &want, tried->label);
        make(tried);
        check_baseline(&logs[i], &want);
    }
}

CASE(each_outcome_of_a_test)
{
    for (enum outcome o = OUTCOME_PASS; o <= OUTCOME_ERROR; o++)
        check_all(&(struct tried){&instructions, "plain", o});
}

CASE(each_outcome_of_walks)
{
    for (enum outcome o = OUTCOME_PASS; o <= OUTCOME_ERROR; o++)
        check_all(&(struct tried){&walks, "walk-status", o});
}

CASE(a_run_that_is_refused)
{
    check_all(&(struct tried){NULL, NULL, OUTCOME_ERROR});
}

/* A short log of an older image has no place for walks; its totals have them. */
CASE(walks_that_old_photos_leave_out_are_no_pass)
{
    static const char *const passing[] = {"", " also=lockstep:f"};
    for (unsigned i = 0; i < 2; i++) {
        char results[600], *made_log;
        size_t size;
        snprintf(results, sizeof(results),
                 "KTAP version 1\n# pmucheck version=0.1.0 commit=1a2b3c4 log=1\n# run pmu=hardware\n"
                 "# outcomes tests=2 ids=00000000 list=p2%s\n# result verdict=fail pass=2 fail=1 code=AAAA-AAAA\n",
                 passing[i]);
        FILE *out = open_memstream(&made_log, &size);
        scan_write(out, results, names, 1);
        fclose(out);
        log_free(&logs[1]);
        log_read(&logs[1], "photos.log", made_log, size);
        assert_int_equal(log_status(&logs[1]), STATUS_ERROR); /* the code is made up, too */
        assert_string_equal(log_run_verdict(&logs[1].boots.item[0], &logs[1].boots.item[0].runs.item[0]), "fail");
        assert_int_equal(logs[1].boots.item[0].leaves[LOG_FAIL], i);
        free(made_log);
    }
}

/* The letters come from a photo: one that is no outcome has no place among the totals. */
CASE(a_letter_that_is_no_outcome_is_told)
{
    static const char *const lists[] = {"p2 also=lockstep:x", "p2 also=lockstep:-", "p2 also=lockstep"};
    for (unsigned i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        char results[600], *made_log;
        size_t size;
        snprintf(results, sizeof(results),
                 "KTAP version 1\n# pmucheck version=0.1.0 commit=1a2b3c4 log=1\n# run pmu=hardware\n"
                 "# outcomes tests=2 ids=00000000 list=%s\n# result verdict=pass pass=2 code=AAAA-AAAA\n",
                 lists[i]);
        FILE *out = open_memstream(&made_log, &size);
        scan_write(out, results, names, 1);
        fclose(out);
        log_free(&logs[1]);
        log_read(&logs[1], "photos.log", made_log, size);
        assert_int_equal(log_status(&logs[1]), STATUS_ERROR);
        assert_int_equal(logs[1].boots.item[0].leaves[LOG_PASS], 2);
        free(made_log);
    }
}

static int forget(void **state)
{
    (void)state;
    log_free(&logs[0]);
    log_free(&logs[1]);
    return 0;
}

int main(void)
{
    return run_cases_in((struct around_cases){.after = forget});
}
