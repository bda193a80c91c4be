/* SPDX-License-Identifier: BSD-2-Clause */
/* The uses of a PMU follow from the tests' outcomes. */
#include "harness/report/purpose.h"
#include "kernel/text/text.h"
#include "reference/model/profile.h"
#include "tests/host/case.h"
#include "tools/pmucheck/embed.h"
#include "tools/pmucheck/scan/scan.h"
#include "tools/span.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct test_declaration tests[] = {
    {.id = "a.first"}, {.id = "a.second"}, {.id = "b.more"}, {.id = "c.other"}};
static const struct registry registry = {{&tests[0], &tests[1], &tests[2], &tests[3]}, 4};
static const struct purpose purpose = {.what = "x", .must = "a.first,a.second", .should = "a.*,b.*"};

CASE(answers)
{
    static const struct {
        enum outcome outcome[4];
        enum purpose_answer answer;
        const char *test;
    } rows[] = {
        {{OUTCOME_PASS, OUTCOME_PASS, OUTCOME_PASS, OUTCOME_FAIL}, PURPOSE_YES, NULL},
        {{OUTCOME_PASS, OUTCOME_PASS, OUTCOME_SKIP, OUTCOME_PASS}, PURPOSE_YES, NULL},
        {{OUTCOME_PASS, OUTCOME_PASS, OUTCOME_NONE, OUTCOME_PASS}, PURPOSE_YES, NULL},
        {{OUTCOME_PASS, OUTCOME_KNOWN, OUTCOME_PASS, OUTCOME_PASS}, PURPOSE_WITH_CARE, "a.second"},
        {{OUTCOME_REVIEW, OUTCOME_PASS, OUTCOME_PASS, OUTCOME_PASS}, PURPOSE_WITH_CARE, "a.first"},
        {{OUTCOME_PASS, OUTCOME_PASS, OUTCOME_FAIL, OUTCOME_PASS}, PURPOSE_WITH_CARE, "b.more"},
        {{OUTCOME_KNOWN, OUTCOME_SKIP, OUTCOME_FAIL, OUTCOME_PASS}, PURPOSE_ABSENT, "a.second"},
        {{OUTCOME_NONE, OUTCOME_FAIL, OUTCOME_PASS, OUTCOME_PASS}, PURPOSE_NO, "a.second"},
        {{OUTCOME_NONE, OUTCOME_ERROR, OUTCOME_PASS, OUTCOME_PASS}, PURPOSE_NO, "a.second"},
        {{OUTCOME_NONE, OUTCOME_PASS, OUTCOME_FAIL, OUTCOME_PASS}, PURPOSE_ABSENT, "a.first"},
    };
    struct outcomes outcomes = {.registry = &registry};
    for_each_row (rows, row) {
        for (unsigned i = 0; i < 4; i++)
            outcomes.worst[i] = (u8)row->outcome[i];
        struct purpose_finding finding = purpose_judge(&purpose, &outcomes, CLASS_UNKNOWN);
        assert_int_equal(finding.answer, row->answer);
        assert_string_equal(finding.test ? finding.test : "", row->test ? row->test : "");
    }
}

/* Of tests with "|" between them one is enough; but one that fails is a failure. */
CASE(alternatives)
{
    static const struct purpose either = {.what = "x", .must = "a.first|a.second,b.more", .should = ""};
    static const struct {
        enum outcome outcome[4];
        enum purpose_answer answer;
        const char *test;
    } rows[] = {
        {{OUTCOME_PASS, OUTCOME_SKIP, OUTCOME_PASS}, PURPOSE_YES, NULL},
        {{OUTCOME_SKIP, OUTCOME_PASS, OUTCOME_PASS}, PURPOSE_YES, NULL},
        {{OUTCOME_SKIP, OUTCOME_SKIP, OUTCOME_PASS}, PURPOSE_ABSENT, "a.first"},
        {{OUTCOME_NONE, OUTCOME_SKIP, OUTCOME_PASS}, PURPOSE_ABSENT, "a.second"},
        {{OUTCOME_SKIP, OUTCOME_KNOWN, OUTCOME_PASS}, PURPOSE_WITH_CARE, "a.second"},
        {{OUTCOME_PASS, OUTCOME_FAIL, OUTCOME_PASS}, PURPOSE_NO, "a.second"},
        {{OUTCOME_PASS, OUTCOME_SKIP, OUTCOME_SKIP}, PURPOSE_ABSENT, "b.more"},
        {{OUTCOME_SKIP, OUTCOME_SKIP, OUTCOME_ERROR}, PURPOSE_NO, "b.more"},
    };
    struct outcomes outcomes = {.registry = &registry};
    for_each_row (rows, row) {
        for (unsigned i = 0; i < 4; i++)
            outcomes.worst[i] = (u8)row->outcome[i];
        struct purpose_finding finding = purpose_judge(&either, &outcomes, CLASS_UNKNOWN);
        assert_int_equal(finding.answer, row->answer);
        assert_string_equal(finding.test ? finding.test : "", row->test ? row->test : "");
    }
}

/* Some classes can do it otherwise where the tests of the usual way do not apply; not if these fail. */
CASE(another_way)
{
    static const struct purpose two_ways = {"x", "x", "a.first", "", class_topdown_events, "b.more", "by events"};
    struct outcomes outcomes = {.registry = &registry, .worst = {OUTCOME_SKIP, OUTCOME_PASS, OUTCOME_PASS}};
    assert_int_equal(purpose_judge(&two_ways, &outcomes, CLASS_NEHALEM).answer, PURPOSE_ABSENT);
    assert_int_equal(purpose_judge(&two_ways, &outcomes, CLASS_SKYLAKE).answer, PURPOSE_YES);
    assert_string_equal(purpose_judge(&two_ways, &outcomes, CLASS_SKYLAKE).way, "by events");
    outcomes.worst[0] = OUTCOME_FAIL;
    assert_int_equal(purpose_judge(&two_ways, &outcomes, CLASS_SKYLAKE).answer, PURPOSE_NO);
    assert_null(purpose_judge(&two_ways, &outcomes, CLASS_SKYLAKE).way);
}

/* ---- Each profile of the reference PMU: the answers in tests/boot/purposes.txt follow from the tests that pass. */

EMBED(purposes_table, "tests/boot/purposes.txt");

static struct test_declaration all[TESTS_MAX];
static struct registry image;

static void fill_image(void)
{
    struct span rest = {scan_names_built_in, strlen(scan_names_built_in)}, id;
    image.count = 0;
    while (span_line(&rest, &id)) {
        all[image.count].id = strndup(id.text, id.length);
        image.test[image.count] = &all[image.count];
        image.count++;
    }
}

static void forget_image(void)
{
    for (unsigned i = 0; i < image.count; i++)
        free((char *)all[i].id);
}

static enum cpu_class class_of(const char *name)
{
    for (enum cpu_class class = 0; class < CLASSES; class ++)
        if (strcmp(class_name(class), name) == 0)
            return class;
    fail_msg("no class is called %s", name);
    return CLASS_UNKNOWN;
}

/* `left_out`: the tests that do not pass, ids or "trace.*". Each of them must be one of the image's. */
static void fill_outcomes(struct outcomes *outcomes, char *left_out)
{
    outcomes_begin(outcomes, &image);
    for (unsigned i = 0; i < image.count; i++)
        outcomes->worst[i] = OUTCOME_PASS;
    for (char *glob = strtok(left_out, " "); glob; glob = strtok(NULL, " ")) {
        unsigned met = 0;
        for (unsigned i = 0; i < image.count; i++)
            if (glob_match(glob, image.test[i]->id)) {
                outcomes->worst[i] = OUTCOME_SKIP;
                met++;
            }
        if (!met)
            fail_msg("%s: no test has this id", glob);
    }
}

/* A row is of another set of tests if as many as it says did not pass. */
static void check_passed(const char *name, const struct outcomes *outcomes, unsigned passed)
{
    unsigned met = 0;
    for (unsigned i = 0; i < image.count; i++)
        met += outcomes->worst[i] == OUTCOME_PASS;
    if (met != passed)
        fail_msg("%s: %u tests passed, now it would be %u: WRITE=1 JOBS=1 tools/check/run.py profiles renews all rows",
                 name, passed, met);
}

static void check_profile(const char *name, const char *class, unsigned passed, const char *answers, char *left_out)
{
    static struct outcomes outcomes;
    char made[400] = "";
    fill_outcomes(&outcomes, left_out);
    check_passed(name, &outcomes, passed);
    for (unsigned i = 0; i < purpose_count; i++) {
        struct purpose_finding finding = purpose_judge(&purposes[i], &outcomes, class_of(class));
        size_t used = strlen(made);
        snprintf(made + used, sizeof(made) - used, "%s%s=%s", used ? " " : "", purposes[i].what,
                 purpose_answer_name(finding.answer));
    }
    if (strcmp(made, answers) != 0)
        fail_msg("%s: %s, but the table says %s", name, made, answers);
}

CASE(profiles_are_good_for_what_they_have)
{
    struct span rest = {purposes_table, strlen(purposes_table)}, line;
    unsigned rows = 0;
    fill_image();
    while (span_line(&rest, &line)) {
        char text[2000], name[40], class[40], answers[400];
        unsigned passed = 0;
        int at = 0;
        span_copy(text, sizeof(text), line);
        if (!text[0] || text[0] == '#')
            continue;
        assert_int_equal(sscanf(text, "%39s | %39s | %u | %399[^|]| %n", name, class, &passed, answers, &at), 4);
        answers[strlen(answers) - 1] = 0;
        check_profile(name, class, passed, answers, text + at);
        rows++;
    }
    assert_int_equal(rows, profile_count);
    forget_image();
}

/* Names are permanent, and each purpose depends on some test. */
CASE(table)
{
    for (unsigned i = 0; i < purpose_count; i++) {
        assert_true(purposes[i].must[0] && purposes[i].words[0]);
        assert_int_equal(strspn(purposes[i].what, "abcdefghijklmnopqrstuvwxyz-"), strlen(purposes[i].what));
    }
    assert_string_equal(purpose_answer_name(PURPOSE_NO), "no");
    assert_string_equal(purpose_because(OUTCOME_KNOWN), "fails by a published erratum");
}

int main(void)
{
    const struct CMUnitTest list[] = {cmocka_unit_test(answers), cmocka_unit_test(alternatives),
                                      cmocka_unit_test(another_way), cmocka_unit_test(table),
                                      cmocka_unit_test(profiles_are_good_for_what_they_have)};
    return cmocka_run_group_tests(list, NULL, NULL);
}
