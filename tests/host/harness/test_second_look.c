/* SPDX-License-Identifier: BSD-2-Clause */
/* A check that fails once and not again asks for review; one that fails twice is a failure. */
#include "harness/core/judge.h"
#include "harness/run/worker.h"
#include "tests/host/case.h"
#include <string.h>

static struct results first, second;
static const struct pmu_caps caps = {.intel = true, .gp_width = 48};

static void check(struct results *results, const char *label, bool held)
{
    struct check c = {.label = label, .bit = NO_BIT, .kind = CHECK_EQUAL, .got = held, .want = 1};
    results_check(results, &c, held);
}

static int begin(void **state)
{
    (void)state;
    results_clear(&first);
    results_clear(&second);
    return 0;
}

CASE(wanted)
{
    check(&first, "a", true);
    assert_false(second_look_wanted(&first, EACH_CPU));
    check(&first, "b", false);
    assert_true(second_look_wanted(&first, EACH_CPU));
    assert_false(second_look_wanted(&first, ALL_TOGETHER));
}

CASE(in_a_bracket)
{
    results_open(&first);
    check(&first, "a", false);
    results_close(&first, true);
    assert_false(second_look_wanted(&first, EACH_CPU));
}

static enum outcome outcome_after(bool again)
{
    check(&first, "a", true);
    check(&first, "b", false);
    check(&second, "a", true);
    check(&second, "b", again);
    second_look_compare(&first, &second);
    judge_results(&first, &caps, "t", PMU_REFERENCE);
    return first.outcome;
}

CASE(fails_again)
{
    assert_int_equal(outcome_after(false), OUTCOME_FAIL);
}

CASE(holds_again)
{
    assert_int_equal(outcome_after(true), OUTCOME_REVIEW);
    assert_string_equal(first.reason, "b: not when repeated");
    assert_int_equal(first.code, REASON_REVIEW_REPEAT);
}

/* A check that the second run did not reach changes nothing. */
CASE(not_asked_again)
{
    check(&first, "b", false);
    check(&second, "a", true);
    second_look_compare(&first, &second);
    judge_results(&first, &caps, "t", PMU_REFERENCE);
    assert_int_equal(first.outcome, OUTCOME_FAIL);
}

int main(void)
{
    return run_cases_in((struct around_cases){.before_each = begin});
}
