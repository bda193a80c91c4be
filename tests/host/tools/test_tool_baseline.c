/* SPDX-License-Identifier: BSD-2-Clause */
/* Accepted results, kept as JSON and read again, and the judgement of a new log. */
#include "host/tools/facts_rig.h"
#include "tests/host/tools/text_rig.h"
#include "tools/pmucheck/baseline/baseline.h"
#include <stdlib.h>

static json_object *baseline;

/* A log with these results of three tests, and this measurement. */
static void log_of(const char *one, const char *two, const char *three, const char *measure)
{
    made_begin();
    made_lines("# cpu cpus=0-3 signature=000506e3 microcode=000000f0 core-type=0 threads-per-core=2",
               "# run pmu=hardware", "# core-type id=0 cpus=0-3 kind=core signature=000506e3 version=4", "1..3",
               "# begin a.one", "# fail a.one label=old-label cpus=0 got=1 want=0", one, "# begin a.two", measure, two,
               "# begin a.three", "# fail a.three label=new-label cpus=0 got=1 want=0", three);
    facts_of(made.text);
}

#define MEASURE(median)                                                                                        \
    "# measure a.two name=skid cpus=0-3 unit=events n=9 min=" #median " median=" #median " p99=9 max=" #median \
    " hist=1:1"

/* Accepts log_of()'s log; the baseline is written and parsed again in between, as on disk. */
static void accept(void)
{
    const struct baseline_note note = {"made.log", "somebody", "good", "2026-01-01"};
    if (!baseline)
        baseline = baseline_new(&facts);
    baseline_accept(baseline, &facts, &note);
    json_object *read = json_tokener_parse(json_written(baseline, true));
    json_object_put(baseline);
    baseline = read;
    assert_null(baseline_refusal(baseline));
}

static struct {
    unsigned worse, fixed, changed, outside, unknown;
} found;

/* The findings as lines, too. */
static void judge(void)
{
    struct baseline_findings findings;
    FILE *out = text_new();
    baseline_judge(&arena, baseline, &facts, &findings);
    for (unsigned i = 0; i < findings.list.count; i++)
        fprintf(out, "%s %s: %s\n", baseline_kind_name[findings.list.item[i].kind], findings.list.item[i].subject,
                findings.list.item[i].text);
    fclose(out);
    found.worse = findings.count[BASELINE_WORSE];
    found.fixed = findings.count[BASELINE_FIXED];
    found.changed = findings.count[BASELINE_CHANGED];
    found.outside = findings.count[BASELINE_OUTSIDE];
    found.unknown = findings.count[BASELINE_UNKNOWN];
}

static int forget(void **state)
{
    (void)state;
    json_object_put(baseline);
    baseline = NULL;
    log_free(&file);
    arena_free(&arena);
    return 0;
}

CASE(the_same_is_nothing_new)
{
    log_of("not ok 1 a.one", "ok 2 a.two", "ok 3 a.three", MEASURE(5));
    accept();
    judge();
    assert_string_equal(text, "");
    assert_int_equal(found.worse + found.fixed + found.changed + found.outside + found.unknown, 0);
}

CASE(what_is_new_is_told)
{
    log_of("not ok 1 a.one", "ok 2 a.two", "ok 3 a.three", MEASURE(5));
    accept();
    judge();
    assert_int_equal(found.outside, 0);
    accept();
    accept(); /* three logs make a range */
    log_of("ok 1 a.one", "ok 2 a.two # SKIP none", "not ok 3 a.three", MEASURE(8));
    judge();
    assert_int_equal(found.fixed, 1);
    assert_int_equal(found.changed, 1);
    assert_int_equal(found.worse, 1);
    assert_int_equal(found.outside, 1);
    says("fixed a.one: pass, was fail", "worse a.three: fail, was pass", "skid [events]: median 8, accepted 5 to 5");
}

/* A test that failed before must not fail in another check. */
CASE(another_check_of_a_failing_test_is_worse)
{
    log_of("not ok 1 a.one", "ok 2 a.two", "ok 3 a.three", MEASURE(5));
    accept();
    log_of("not ok 1 a.one", "ok 2 a.two", "ok 3 a.three", MEASURE(5));
    json_object *test = json_object_object_get(json_object_object_get(baseline, "tests"), "a.one");
    json_object_object_del(test, "labels");
    judge();
    assert_int_equal(found.worse, 1);
    says("check old-label fails");
}

CASE(several_logs_widen_what_is_accepted)
{
    log_of("ok 1 a.one", "ok 2 a.two", "ok 3 a.three", MEASURE(5));
    accept();
    log_of("not ok 1 a.one # REVIEW once", "ok 2 a.two", "ok 3 a.three", MEASURE(9));
    accept();
    log_of("ok 1 a.one", "ok 2 a.two", "ok 3 a.three", MEASURE(7));
    judge();
    assert_int_equal(found.fixed + found.outside + found.worse, 0);
    assert_int_equal(json_count(json_object_object_get(baseline, "accepted")), 2);
    assert_string_equal(baseline_name(&arena, &facts), "000506e3-000000f0-2.json");
}

/* One log makes no range: the next good machine would lie outside it. */
CASE(one_log_makes_no_range)
{
    log_of("ok 1 a.one", "ok 2 a.two", "ok 3 a.three", MEASURE(5));
    accept();
    log_of("ok 1 a.one", "ok 2 a.two", "ok 3 a.three", MEASURE(6));
    judge();
    assert_int_equal(found.outside, 0);
    accept();
    accept();
    log_of("ok 1 a.one", "ok 2 a.two", "ok 3 a.three", MEASURE(7));
    judge();
    assert_int_equal(found.outside, 1);
}

CASE(what_does_not_pass_is_doubted)
{
    log_of("ok 1 a.one", "ok 2 a.two", "ok 3 a.three", MEASURE(5));
    assert_null(baseline_doubt(&facts));
    log_of("not ok 1 a.one", "ok 2 a.two", "ok 3 a.three", MEASURE(5));
    assert_string_equal(baseline_doubt(&facts), "the run fails");
    log_of("not ok 1 a.one # REVIEW once", "ok 2 a.two", "ok 3 a.three", MEASURE(5));
    assert_string_equal(baseline_doubt(&facts), "the run asks for review");
}

CASE(a_changed_file_is_refused)
{
    log_of("not ok 1 a.one", "ok 2 a.two", "ok 3 a.three", MEASURE(5));
    accept();
    json_object *test = json_object_object_get(json_object_object_get(baseline, "tests"), "a.two");
    json_object_array_add(json_object_object_get(test, "outcomes"), json_object_new_string("fail"));
    assert_non_null(strstr(baseline_refusal(baseline), "check sum"));
    baseline_seal(baseline);
    assert_null(baseline_refusal(baseline));
}

CASE(other_files_are_refused)
{
    static const char *const wrong[] = {"[]", "{}", "{\"schema\":\"pmucheck-baseline-3\"}",
                                        "{\"schema\":\"pmucheck-baseline-1\",\"accepted\":[],\"tests\":3}"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        json_object *json = json_tokener_parse(wrong[i]);
        assert_non_null(baseline_refusal(json));
        json_object_put(json);
    }
}

int main(void)
{
    return run_cases_in((struct around_cases){.after_each = forget});
}
