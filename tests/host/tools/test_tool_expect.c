/* SPDX-License-Identifier: BSD-2-Clause */
/* Known differences: a job fails with a new one, reports one that is gone, and passes with the rest. */
#include "host/tools/log_maker.h"
#include "tests/host/tools/text_rig.h"
#include "tools/pmucheck/report/expect.h"
#include "tools/pmucheck/report/report.h"
#include <stdlib.h>

static struct log_file file;
static struct expect expect;

/* A guest's log: two tests that fail, by three labels, one that passes, one that is skipped. */
static void make_log(const char *fourth, const char *end)
{
    made_begin();
    made_lines("# pmucheck version=0.2.0+38.g1a2b3c4 commit=1a2b3c4 log=1", "# run pmu=virtual:KVMKVMKVM judge=virtual",
               "1..4", "# begin a.two", "# fail a.two label=first cpus=0 got=1 want=0",
               "# fail a.two label=second cpus=0 got=1 want=0", "# fail a.two label=first cpus=1 got=1 want=0",
               "not ok 1 a.two", "# begin b.one", "# fail b.one label=only cpus=0 got=1 want=0",
               "not ok 2 b.one # REVIEW never seen", "ok 3 c.passes", fourth);
    made_sync();
    made_end(end);
    made_read(&file, "kvm.log");
}

static int a_log(void **state)
{
    (void)state;
    make_log("ok 4 d.skipped # SKIP nothing", "verdict=fail pass=1 fail=1 known=0 review=1 skip=1 error=0");
    return 0;
}

static int forget(void **state)
{
    (void)state;
    log_free(&file);
    expect_free(&expect);
    expect = (struct expect){0};
    file = (struct log_file){0};
    return 0;
}

static unsigned read_list(const char *list)
{
    return expect_read(&expect, list, strlen(list));
}

/* Collects the lines about new and gone differences. Returns the number of gone ones. */
static unsigned apply(void)
{
    FILE *out = text_new();
    expect_apply(&expect, &file, out);
    unsigned gone = expect_tell_gone(&expect, "known.txt", out);
    fclose(out);
    return gone;
}

CASE(all_are_known)
{
    assert_int_equal(log_status(&file), STATUS_FAIL);
    assert_int_equal(read_list("a.two first 0.2.0+38.g1a2b3c4\na.two second 0.2.0+38.g1a2b3c4 # seen on every "
                               "kernel\n\n# b\nb.one only 0.2.0+38.g1a2b3c4"),
                     0);
    assert_int_equal(apply(), 0);
    assert_string_equal(text, "");
    assert_int_equal(expect_status(&file), STATUS_PASS);
    assert_int_equal(file.boots.item[0].runs.item[0].results.item[0].outcome, LOG_KNOWN);
    assert_int_equal(file.boots.item[0].runs.item[0].results.item[1].outcome, LOG_KNOWN);
}

/* A list made from several runs has the same row once for each. */
CASE(rows_may_repeat)
{
    assert_int_equal(read_list("a.two first 0\na.two second 0\nb.one only 0\na.two second 0\nb.one only 0\n"), 0);
    assert_int_equal(apply(), 0);
    assert_string_equal(text, "");
    assert_int_equal(expect_status(&file), STATUS_PASS);
}

CASE(a_new_one_fails)
{
    assert_int_equal(read_list("a.two first 0.2.0+38.g1a2b3c4\nb.one only 0.2.0+38.g1a2b3c4\n"), 0);
    assert_int_equal(apply(), 0);
    assert_string_equal(text, "new    a.two second (kvm.log:7)\n");
    assert_int_equal(expect_status(&file), STATUS_FAIL);
    assert_int_equal(file.boots.item[0].runs.item[0].results.item[0].outcome, LOG_FAIL);
}

CASE(what_is_left_may_be_a_review)
{
    assert_int_equal(read_list("a.two second 0.0.9\na.two first 0.0.9\n"), 0);
    apply();
    assert_string_equal(text, "new    b.one only (kvm.log:11)\n");
    assert_int_equal(expect_status(&file), STATUS_REVIEW);
}

CASE(one_that_is_gone_is_told)
{
    assert_int_equal(
        read_list("a.two first 0.2.0+38.g1a2b3c4\na.two second 0.2.0+38.g1a2b3c4\nb.one only 0.2.0+38.g1a2b3c4\n"
                  "c.passes was 0.0.9\nb.one other 0.0.9\nd.skipped some 0.0.9\ne.absent some 0.0.9\n"),
        0);
    assert_int_equal(apply(), 2);
    assert_string_equal(text, "gone   c.passes was (known.txt:4, seen with 0.0.9): remove the line\n"
                              "gone   b.one other (known.txt:5, seen with 0.0.9): remove the line\n");
    assert_int_equal(expect_status(&file), STATUS_PASS);
}

/* Other problems stay: an error, a damaged log, a log without an END line. */
CASE(errors_stay)
{
    make_log("not ok 4 d.error # ERROR #GP", "verdict=fail pass=1 fail=1 known=0 review=1 skip=0 error=1");
    assert_int_equal(read_list("a.two first 0\na.two second 0\nb.one only 0\nd.error some 0\n"), 0);
    assert_int_equal(apply(), 0);
    assert_int_equal(expect_status(&file), STATUS_ERROR);
    made.text[strlen(made.text) / 2] ^= 1;
    made_read(&file, "kvm.log");
    expect_apply(&expect, &file, NULL);
    assert_int_equal(expect_status(&file), STATUS_ERROR);
}

CASE(the_report_makes_the_list)
{
    const struct report_format *form = report_formats;
    struct report report;
    FILE *out = text_new();
    while (strcmp(form->name, "expect") != 0)
        form++;
    assert_true(report_begin(form, &report, out));
    report_add(form, &report, &file);
    report_end(form, &report);
    fclose(out);
    says("\n# virtual:KVMKVMKVM\na.two first 0.2.0+38.g1a2b3c4\na.two second "
         "0.2.0+38.g1a2b3c4\nb.one only 0.2.0+38.g1a2b3c4\n");
    assert_int_equal(read_list(text), 0);
    expect_apply(&expect, &file, NULL);
    assert_int_equal(expect_status(&file), STATUS_PASS);
}

CASE(a_bad_line_is_named)
{
    static const struct {
        const char *text;
        unsigned line;
    } rows[] = {{"", 0},
                {"\n \t\r\n# a.two first\n", 0},
                {"a.two first 0.2.0+38.g1a2b3c4\r\n", 0},
                {"a.two\n", 1},
                {"# so\na.two first\n", 2},
                {"a.two first 0.2.0+38.g1a2b3c4 more\n", 1},
                {"a.two first 0.2.0+38.g1a2b3c4\n\na.two", 3}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(read_list(rows[i].text), rows[i].line);
        forget(state);
    }
    assert_int_equal(expect_read(&expect, "a b c\0d\n", 8), 1);
}

int main(void)
{
    return run_cases_in((struct around_cases){.before_each = a_log, .after_each = forget});
}
