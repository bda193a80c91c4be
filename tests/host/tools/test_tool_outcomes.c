/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines at a log's end with all outcomes and the result code: lost or changed results are named by them. */
#include "host/tools/log_rig.h"
#include "kernel/qr/qr.h"

static struct result_code code;

static void say(const char *content)
{
    made_line(content);
    result_code_line(&code, content, strlen(content));
}

static void begin(void)
{
    made_clear();
    result_code_start(&code);
    say("KTAP version 1");
    say("# pmucheck version=0.1.0 commit=1a2b3c4 log=1");
    say("# machine vendor=GenuineIntel cpus=4 memory-kib=1");
    say("# run pmu=hardware");
}

static void end(const char *outcomes, const char *totals)
{
    char content[200], text[RESULT_CODE_SIZE];
    say(outcomes);
    snprintf(content, sizeof(content), "# result %s code=", totals);
    result_code_line(&code, content, strlen(content));
    made_print("# result %s code=%s", totals, result_code_text(&code, text));
    made_end(totals);
}

static bool has_problem(const char *words)
{
    for (unsigned i = 0; i < boot(0)->problems.count; i++)
        if (strstr(boot(0)->problems.item[i].text, words))
            return true;
    return false;
}

/* Removes or replaces a line. */
static void change(const char *from, const char *to)
{
    static char whole[sizeof(made.text)];
    char *at = strstr(made.text, from);
    assert_non_null(at);
    snprintf(whole, sizeof(whole), "%.*s%s%s", (int)(at - made.text), made.text, to, at + strlen(from));
    memcpy(made.text, whole, sizeof(whole));
}

static void three_results(void)
{
    begin();
    say("1..3");
    say("ok 1 a.a");
    say("not ok 2 b.b");
    say("ok 3 d.d # SKIP none");
    end("# outcomes tests=4 ids=00000000 list=pf-s", "verdict=fail pass=1 fail=1 known=0 review=0 skip=1 error=0");
}

CASE(a_whole_log_fits)
{
    three_results();
    assert_int_equal(status(), STATUS_FAIL);
    assert_int_equal(boot(0)->problems.count, 0);
    assert_int_equal(strlen(boot(0)->code), 9);
}

CASE(a_lost_result_is_told)
{
    three_results();
    change("not ok 2 b.b\r\n", "");
    assert_int_equal(status(), STATUS_ERROR);
    assert_int_equal(boot(0)->runs.item[0].results.item[1].outcome, LOG_LOST);
    assert_string_equal(boot(0)->runs.item[0].results.item[1].reason, "the # outcomes line says fail");
}

CASE(a_changed_result_is_named)
{
    three_results();
    change("not ok 2 b.b\r\n", "ok 2 b.b\r\n");
    assert_int_equal(status(), STATUS_ERROR);
    assert_true(has_problem("b.b is pass here, but fail in the # outcomes line"));
    assert_false(has_problem("result code"));
}

/* Random walks are the last result, and have a place of their own in the line. */
static void walks_last(void)
{
    begin();
    say("1..3");
    say("ok 1 a.a");
    say("ok 2 b.b");
    say("not ok 3 lockstep");
    end("# outcomes tests=3 ids=00000000 list=pp- also=lockstep:f",
        "verdict=fail pass=2 fail=1 known=0 review=0 skip=0 error=0");
}

CASE(walks_are_compared_by_name)
{
    walks_last();
    assert_int_equal(status(), STATUS_FAIL);
    assert_int_equal(boot(0)->problems.count, 0);
    change("not ok 3 lockstep\r\n", "ok 3 lockstep\r\n");
    status();
    assert_true(has_problem("lockstep is pass here, but fail in the # outcomes line"));
    walks_last();
    change("ok 2 b.b\r\n", "not ok 2 b.b\r\n");
    status();
    assert_true(has_problem("b.b is fail here, but pass in the # outcomes line"));
    walks_last();
    change("not ok 3 lockstep\r\n", "");
    status();
    assert_string_equal(boot(0)->runs.item[0].results.item[2].id, "lockstep");
    assert_string_equal(boot(0)->runs.item[0].results.item[2].reason, "the # outcomes line says fail");
}

/* Older images left walks out of the line. */
CASE(tests_beside_unnamed_walks_are_compared)
{
    walks_last();
    change(" also=lockstep:f", "");
    change("ok 2 b.b\r\n", "not ok 2 b.b\r\n");
    status();
    assert_true(has_problem("b.b is fail here, but pass in the # outcomes line"));
}

CASE(a_changed_machine_changes_the_code)
{
    three_results();
    change("cpus=4", "cpus=8");
    assert_int_equal(status(), STATUS_ERROR);
    assert_true(has_problem("the result code is"));
    three_results();
    change("# run pmu=hardware\r\n", "");
    assert_int_equal(status(), STATUS_ERROR);
    assert_true(has_problem("the result code is"));
}

/* Repeated and shuffled: the severest outcome of each test. */
CASE(repeats_are_compared_by_test)
{
    static const char *const good = "# outcomes tests=2 ids=00000000 list=rp";
    static const char *const totals = "verdict=review pass=3 fail=0 known=0 review=1 skip=0 error=0";
    for (int other = 0; other < 2; other++) {
        begin();
        say("1..4");
        say("ok 1 b.b");
        say("ok 2 a.a");
        say("not ok 3 a.a # REVIEW none");
        say("ok 4 b.b");
        end(other ? "# outcomes tests=2 ids=00000000 list=rf" : good, totals);
        assert_int_equal(status(), other ? STATUS_ERROR : STATUS_REVIEW);
        assert_int_equal(has_problem("b.b is pass here, but fail"), other);
    }
}

CASE(broken_lists_are_told)
{
    static const char *const lists[] = {"x",
                                        "p99999999",
                                        "p3q",
                                        "p0x",
                                        "p also=lockstep",
                                        "p also=lockstep:x",
                                        "p also=lockstep:-",
                                        "p also=a:p,lockstep:"};
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        char content[80];
        begin();
        say("1..1");
        say("ok 1 a.a");
        snprintf(content, sizeof(content), "# outcomes tests=1 ids=00000000 list=%s", lists[i]);
        end(content, "verdict=pass pass=1 fail=0 known=0 review=0 skip=0 error=0");
        assert_int_equal(status(), STATUS_ERROR);
        assert_true(has_problem("this # outcomes line is damaged"));
    }
}

int main(void)
{
    return run_cases();
}
