/* SPDX-License-Identifier: BSD-2-Clause */
/* The uses of a PMU follow from the tests' outcomes. */
#include "harness/report/purpose.h"
#include "tests/host/case.h"
#include <string.h>

static const struct test_declaration tests[] = {
    {.id = "a.first"}, {.id = "a.second"}, {.id = "b.more"}, {.id = "c.other"}};
static const struct registry registry = {{&tests[0], &tests[1], &tests[2], &tests[3]}, 4};
static const struct purpose purpose = {"x", "x", "a.first,a.second", "a.*,b.*"};

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
        {{OUTCOME_KNOWN, OUTCOME_SKIP, OUTCOME_FAIL, OUTCOME_PASS}, PURPOSE_NO, "a.second"},
        {{OUTCOME_NONE, OUTCOME_FAIL, OUTCOME_PASS, OUTCOME_PASS}, PURPOSE_NO, "a.second"},
        {{OUTCOME_NONE, OUTCOME_ERROR, OUTCOME_PASS, OUTCOME_PASS}, PURPOSE_NO, "a.second"},
        {{OUTCOME_NONE, OUTCOME_PASS, OUTCOME_FAIL, OUTCOME_PASS}, PURPOSE_UNKNOWN, "a.first"},
    };
    struct outcomes outcomes = {.registry = &registry};
    for_each_row (rows, row) {
        for (unsigned i = 0; i < 4; i++)
            outcomes.worst[i] = (u8)row->outcome[i];
        struct purpose_finding finding = purpose_judge(&purpose, &outcomes);
        assert_int_equal(finding.answer, row->answer);
        assert_string_equal(finding.test ? finding.test : "", row->test ? row->test : "");
    }
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
    const struct CMUnitTest list[] = {cmocka_unit_test(answers), cmocka_unit_test(table)};
    return cmocka_run_group_tests(list, NULL, NULL);
}
