/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The log reader with logs made here line by line, with the format's CRCs: good ones, and ones with one error.
 */
#include "host/tools/log_rig.h"

CASE(passes)
{
    a_good_log();
    made_end("verdict=pass pass=2 fail=0 known=1 review=0 skip=1 error=0");
    assert_int_equal(status(), STATUS_PASS);
    assert_int_equal(boot(0)->problems.count, 0);
    assert_int_equal(boot(0)->top[LOG_PASS], 2);
    assert_int_equal(boot(0)->top[LOG_KNOWN], 1);
    assert_int_equal(boot(0)->end_total[LOG_SKIP], 1);
    assert_string_equal(boot(0)->version, "0.2.0+38.g1a2b3c4");
    assert_string_equal(boot(0)->commit, "1a2b3c4");
}

/* Times of a machine without a clock cannot be compared; its other measurements can. */
CASE(times_need_a_clock)
{
    static const char *const sources[] = {"hpet", "cpuid-16", "assumed"};
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
        char machine[100];
        bool known = strcmp(sources[i], "assumed") != 0;
        snprintf(machine, sizeof(machine), "# machine vendor=GenuineIntel tsc-khz=6000000 tsc-source=%s", sources[i]);
        made_log("verdict=pass pass=1", "# pmucheck version=0.2.0+38.g1a2b3c4 commit=1a2b3c4 log=1", machine, "1..1",
                 "# heartbeat running=a.b uptime=12",
                 "# measure a.b name=c cpus=0 unit=us n=1 min=7 median=7 p99=7 max=7 hist=7:1",
                 "# measure a.b name=d cpus=0 unit=uses n=1 min=7 median=7 p99=7 max=7 hist=7:1", "# took a.b us=5",
                 "ok 1 a.b");
        assert_int_equal(status(), STATUS_PASS);
        assert_int_equal(log_timeless(boot(0)), !known);
        assert_int_equal(boot(0)->seconds, known ? 12 : 0);
        assert_int_equal(log_find(boot(0), NULL, "took") != NULL, known);
        assert_string_equal(log_value(log_find(boot(0), NULL, "measure"), "name"), known ? "c" : "d");
    }
}

/* A loader's text before the log, on lines of its own and on the log's first line, and more text after it. */
CASE(passes_over_noise)
{
    static char whole[sizeof(made.text) + 100];
    a_good_log();
    made_end("verdict=pass pass=2 fail=0 known=1 review=0 skip=1 error=0");
    snprintf(whole, sizeof(whole), "ok 1 noise\r\n\033[2J  Booting %.30000snot ok 9 noise\r\n", made.text);
    strcpy(made.text, whole);
    assert_int_equal(status(), STATUS_PASS);
}

CASE(verdicts_become_statuses)
{
    static const struct {
        const char *result, *end;
        enum log_status status;
    } rows[] = {
        {"ok 1 a.b", "verdict=pass pass=1", STATUS_PASS},
        {"not ok 1 a.b", "verdict=fail fail=1", STATUS_FAIL},
        {"not ok 1 a.b # REVIEW never seen passing", "verdict=review review=1", STATUS_REVIEW},
        {"not ok 1 a.b # ERROR #GP", "verdict=error error=1", STATUS_ERROR},
        {"ok 1 a.b # SKIP no PMU", "verdict=untested skip=1", STATUS_UNTESTED},
        {"ok 1 a.b", "verdict=wonderful pass=1", STATUS_ERROR},
        {"ok 1 a.b", "pass=1", STATUS_ERROR},
        /* better than the results */
        {"not ok 1 a.b", "verdict=pass fail=1", STATUS_ERROR},
        {"not ok 1 a.b", "verdict=review fail=1", STATUS_ERROR},
        {"not ok 1 a.b # ERROR x", "verdict=pass error=1", STATUS_ERROR},
        {"not ok 1 a.b # REVIEW x", "verdict=untested review=1", STATUS_ERROR},
        {"ok 1 a.b # SKIP", "verdict=pass skip=1", STATUS_ERROR},
        /* totals of other results */
        {"ok 1 a.b", "verdict=pass pass=2", STATUS_ERROR},
        {"ok 1 a.b", "verdict=pass pass=1 known=1", STATUS_ERROR},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        made_log(rows[i].end, "1..1", rows[i].result);
        assert_int_equal(status(), rows[i].status);
    }
}

/* An image that stops during its start has no KTAP yet; its message is reported. */
CASE(an_early_end_is_an_error)
{
    made_clear();
    made_lines("# pmucheck version=0.2.0+38.g1a2b3c4 commit=1a2b3c4", "# error not enough memory");
    made_end("verdict=error pass=0 fail=0 known=0 review=0 skip=0 error=1");
    assert_int_equal(status(), STATUS_ERROR);
    assert_non_null(strstr(problem(0), "not enough memory"));
}

CASE(nested_plans_are_counted)
{
    for (int missing = 0; missing < 3; missing++) {
        made_begin();
        made_lines("1..2", "  KTAP version 1", "  1..2", "  ok 1 a.b");
        if (missing != 1)
            made_line("  not ok 2 a.c");
        made_lines("ok 1 run-one", "  KTAP version 1", "  1..1", "  ok 1 a.b");
        if (missing != 2)
            made_line("ok 2 run-two");
        made_end("verdict=pass pass=2 fail=0"); /* as in a proof: the defect's run fails, so the defect is caught */
        assert_int_equal(status(), missing ? STATUS_ERROR : STATUS_PASS);
        if (!missing) {
            assert_int_equal(boot(0)->leaves[LOG_PASS], 2);
            assert_int_equal(boot(0)->leaves[LOG_FAIL], 1);
        }
    }
}

/* A change or loss of any single byte of the log is noticed. */
CASE(every_damage_is_noticed)
{
    char good[sizeof(made.text)];
    a_good_log();
    made_end("verdict=pass pass=2 fail=0 known=1 review=0 skip=1 error=0");
    strcpy(good, made.text);
    for (size_t i = 0; good[i]; i++) {
        if (good[i] == '\r' || good[i] == '\n')
            continue;
        strcpy(made.text, good);
        made.text[i] = made.text[i] == '7' ? '3' : '7';
        assert_int_equal(status(), STATUS_ERROR);
        strcpy(made.text, good);
        memmove(made.text + i, made.text + i + 1, strlen(made.text + i));
        assert_int_equal(status(), STATUS_ERROR);
    }
}

CASE(a_cut_log_is_an_error)
{
    a_good_log();
    assert_int_equal(status(), STATUS_ERROR);
    made_clear();
    assert_int_equal(status(), STATUS_ERROR);
}

CASE(a_hole_is_local)
{
    a_good_log();
    made_end("verdict=pass pass=2 known=1 skip=1");
    memcpy(strstr(made.text, "SKL91"), "SKL92", 5);
    assert_int_equal(status(), STATUS_ERROR);
    assert_int_equal(boot(0)->problems.count, 2); /* the second block, and END */
    assert_non_null(strstr(problem(0), "lines 6 to 9"));
}

/* The END line of a good log of two passes, a known one and a skip. */
static const char *ended(const char *end)
{
    a_good_log();
    made_end(end);
    status();
    return boot(0)->problems.count ? problem(0) : "";
}

CASE(totals_that_contradict_the_results_are_told)
{
    assert_string_equal(ended("verdict=pass pass=2 known=1 skip=1"), "");
    assert_string_equal(ended("verdict=pass pass=2 known=1 skip=2"), ""); /* a run that was left out has no line */
    assert_string_equal(ended("verdict=error pass=2 known=1 skip=1 error=1"), "");
    assert_string_equal(ended("verdict=pass pass=2 known=1 skip=0"),
                        "the END line contradicts the results: skip=0 there, 1 here");
    assert_string_equal(ended("verdict=pass pass=3 known=1 skip=1"),
                        "the END line contradicts the results: pass=3 there, 2 here");
    assert_string_equal(ended("verdict=fail pass=2 fail=1 known=1 skip=1"),
                        "the END line contradicts the results: fail=1 there, 0 here");
    assert_int_equal(status(), STATUS_ERROR);
}

CASE(a_verdict_that_contradicts_its_totals_is_told)
{
    static const char *const wrong[] = {"fail", "error", "review"};
    char end[80], want[80];
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        snprintf(end, sizeof(end), "verdict=%s pass=2 known=1 skip=1", wrong[i]);
        snprintf(want, sizeof(want), "the END line's verdict %s contradicts its totals", wrong[i]);
        assert_string_equal(ended(end), want);
        assert_int_equal(status(), STATUS_ERROR);
    }
    assert_string_equal(ended("verdict=pass pass=2 known=1 skip=1 error=1"),
                        "the END line's verdict pass contradicts its totals");
    assert_string_equal(ended("verdict=untested pass=2 known=1 skip=1"), "");
}

/* Nothing was judged: no END line can make that a pass, but another run's. */
CASE(a_pass_that_was_untested_is_told)
{
    for (int other = 0; other < 2; other++) {
        made_begin();
        made_lines("1..2");
        for (int run = 0; run < 2; run++) {
            made_lines(run ? "  # run pmu=reference:skylake" : "  # run pmu=virtual:KVMKVMKVM", "  1..1", "  ok 1 a.a");
            if (!run || !other)
                made_line("  # untested reason=\"no test that uses a counter was selected\"");
            made_line(run ? "ok 2 reference:skylake" : "ok 1 virtual:KVMKVMKVM");
        }
        made_end("verdict=pass pass=2");
        assert_int_equal(status(), other ? STATUS_PASS : STATUS_ERROR);
    }
    assert_int_equal(boot(0)->problems.count, 0);
}

/* A proof counts its own skips; older images left them out. */
CASE(skips_of_an_older_proof_are_not_missed)
{
    static const char *const ends[] = {"verdict=pass pass=1 skip=0", "verdict=pass pass=1 skip=1"};
    for (int i = 0; i < 2; i++) {
        made_log(ends[i], "# run pmu=reference:skylake prove=1/2 tests=1 deviations=1", "1..2", "ok 1 none",
                 "ok 2 labels # SKIP 2 of 4 unproven in a part of the proof");
        assert_int_equal(status(), STATUS_PASS);
    }
}

/* What came between tests is in the END line alone. */
CASE(a_run_is_as_bad_as_its_results_or_the_end)
{
    ended("verdict=error pass=2 known=1 skip=1 error=1");
    assert_string_equal(log_results_verdict(boot(0), &boot(0)->runs.item[0]), "pass");
    assert_string_equal(log_run_verdict(boot(0), &boot(0)->runs.item[0]), "error");
    ended("verdict=fail pass=2 known=1 skip=1");
    assert_string_equal(log_run_verdict(boot(0), &boot(0)->runs.item[0]), "fail");
    ended("verdict=pass pass=2 known=1 skip=1");
    assert_string_equal(log_run_verdict(boot(0), &boot(0)->runs.item[0]), "pass");
}

CASE(a_restart_is_an_error)
{
    char once[sizeof(made.text)];
    a_good_log();
    strcpy(once, made.text);
    a_good_log();
    made_end("verdict=pass pass=2 fail=0 known=1 review=0 skip=1 error=0");
    memmove(made.text + strlen(once), made.text, strlen(made.text) + 1);
    memcpy(made.text, once, strlen(once));
    assert_int_equal(status(), STATUS_ERROR);
    assert_non_null(strstr(problem(0), "started again"));
}

/* The image prints its sum when it starts, and again before its END line. */
static enum log_status summed(const char *first, const char *again, const char *end)
{
    made_clear();
    made_noise(first);
    made_lines("KTAP version 1", "# pmucheck version=0.2.0+38.g1a2b3c4 commit=1a2b3c4 log=1", "1..1", "ok 1 a.b");
    if (again[0])
        made_line(again);
    made_end(end);
    return status();
}

CASE(the_image_is_summed_up_twice)
{
    static const char first[] = "# pmucheck version=0.2.0+38.g1a2b3c4 commit=1a2b3c4 sum=01234567",
                      pass[] = "verdict=pass pass=1 fail=0 known=0 review=0 skip=0 error=0",
                      error[] = "verdict=error pass=1 fail=0 known=0 review=0 skip=0 error=1";
    assert_int_equal(summed(first, "# image sum=01234567 state=unchanged", pass), STATUS_PASS);
    assert_string_equal(boot(0)->sum, "01234567");
    assert_int_equal(summed("", "# image sum=01234567 state=unchanged", pass), STATUS_PASS);
    assert_string_equal(boot(0)->sum, "01234567");
    assert_int_equal(summed("", "", pass), STATUS_PASS);
    assert_string_equal(boot(0)->sum, "");
    assert_int_equal(summed(first, "", pass), STATUS_ERROR);
    assert_non_null(strstr(problem(0), "did not check its sum again"));
    assert_int_equal(summed(first, "# image sum=01234568 state=unchanged", pass), STATUS_ERROR);
    assert_non_null(strstr(problem(0), "the sum 01234567 at its start and 01234568 at its end"));
    assert_int_equal(summed(first, "", error), STATUS_ERROR);
    assert_int_equal(boot(0)->problems.count, 0);
}

int main(void)
{
    return run_cases();
}
