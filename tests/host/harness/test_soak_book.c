/* SPDX-License-Identifier: BSD-2-Clause */
/* The records of a soak run's rounds: rates, bounds, and the CPU. */
#include "harness/core/tally.h"
#include "harness/mode/soak/soak_book.h"
#include "tests/host/case.h"
#include <string.h>

static const struct test_declaration tests[] = {{.id = "a.b"}, {.id = "c.d"}};
static struct selection selection = {{&tests[0], &tests[1]}, 2};
static struct soak_book book;
static struct results results;

static int begin(void **state)
{
    (void)state;
    soak_open(&book, &selection);
    assert_false(soak_ran(&book));
    return 0;
}

/* A run of a test on a CPU, whose only check failed in `failed` of its repeats. */
static void run(unsigned test, u32 cpu, u32 repeats, u32 failed)
{
    const struct check check = {.label = "value", .bit = NO_BIT};
    results_clear(&results);
    results.repeats = repeats;
    results_check_many(&results, &check, repeats, failed);
    results_raise(&results,
                  failed == repeats ? OUTCOME_FAIL
                  : failed          ? OUTCOME_REVIEW
                                    : OUTCOME_PASS,
                  failed ? REASON_REVIEW_REPEAT : REASON_NONE, "why");
    soak_note(&book, &tests[test], cpu, &results);
}

CASE(adds_up)
{
    run(0, 0, 100, 0);
    run(0, 1, 300, 0);
    run(1, 0, 50, 1);
    assert_int_equal(book.row[0].repeats, 400);
    assert_int_equal(book.row[0].failures, 0);
    assert_int_equal(book.row[0].runs, 2);
    assert_int_equal(soak_outcome(&book.row[0]), OUTCOME_PASS);
    assert_int_equal(book.row[1].failures, 1);
    assert_int_equal(soak_outcome(&book.row[1]), OUTCOME_REVIEW);
    assert_string_equal(book.row[1].reason, "why");
    assert_int_equal(book.row[0].code, REASON_NONE);
    assert_int_equal(book.row[1].code, REASON_REVIEW_REPEAT);
}

/* The same label for each of eight counters: 100 repeats, not 800; a test without repeats is made once a run. */
CASE(asked_of_each_counter)
{
    const struct check check = {.label = "value", .bit = NO_BIT};
    results_clear(&results);
    results.repeats = 100;
    results_check_many(&results, &check, 800, 0);
    results_raise(&results, OUTCOME_PASS, REASON_NONE, "");
    soak_note(&book, &tests[0], 0, &results);
    assert_true(soak_ran(&book));
    assert_int_equal(book.row[0].repeats, 100);
    results.repeats = 0;
    soak_note(&book, &tests[1], 0, &results);
    assert_int_equal(book.row[1].repeats, 1);
}

CASE(names_the_cpu)
{
    run(0, 3, 100, 2);
    run(0, 5, 100, 1);
    run(0, 3, 100, 2);
    assert_int_equal(book.failed, 2);
    assert_int_equal(book.failure[0].cpu, 3);
    assert_int_equal(book.failure[0].failures, 4);
    assert_int_equal(book.failure[0].repeats, 200);
    assert_int_equal(book.failure[1].cpu, 5);
    assert_string_equal(book.failure[0].label, "value");
}

/* One completely failed run of three is no failure yet; two of three are. */
CASE(seldom)
{
    run(0, 0, 10, 10);
    run(0, 0, 10, 0);
    run(0, 0, 10, 0);
    assert_int_equal(soak_outcome(&book.row[0]), OUTCOME_REVIEW);
    run(0, 0, 10, 10);
    assert_int_equal(soak_outcome(&book.row[0]), OUTCOME_FAIL);
}

/* The result has its failed checks, as in any other run: each by label, on all CPUs where it failed. */
CASE(a_result_has_its_failures)
{
    static struct folded folded;
    run(0, 0, 10, 10);
    run(0, 1, 10, 10);
    run(1, 0, 10, 0);
    soak_result(&book, 0, &folded);
    assert_int_equal(folded.outcome, OUTCOME_FAIL);
    assert_int_equal(folded.failures, 1);
    assert_string_equal(folded.failure[0].check.label, "value");
    assert_int_equal(folded.failure[0].check.failed, 20);
    assert_int_equal(folded.failure[0].check.held, 0);
    assert_true(cpu_set_has(&folded.failure[0].cpus, 0) && cpu_set_has(&folded.failure[0].cpus, 1));
    soak_result(&book, 1, &folded);
    assert_int_equal(folded.outcome, OUTCOME_PASS);
    assert_int_equal(folded.failures, 0);
}

CASE(skipped)
{
    results_clear(&results);
    results_raise(&results, OUTCOME_SKIP, REASON_NONE, "nothing there");
    soak_note(&book, &tests[0], 0, &results);
    assert_int_equal(soak_outcome(&book.row[0]), OUTCOME_SKIP);
}

CASE(full)
{
    for (u32 cpu = 0; cpu < SOAK_FAILURES + 3; cpu++)
        run(0, cpu, 2, 1);
    assert_int_equal(book.failed, SOAK_FAILURES);
    assert_int_equal(book.dropped, 3);
}

CASE(rates)
{
    assert_int_equal(rate_per_million(1, 4), 250000);
    assert_int_equal(rate_per_million(0, 0), 0);
    assert_int_equal(rate_excluded(3000000), 1);
    assert_int_equal(rate_excluded(3000001), 1);
    assert_int_equal(rate_excluded(100), 30000);
    assert_int_equal(rate_excluded(0), 1000000);
}

int main(void)
{
    const struct CMUnitTest list[] = {
        cmocka_unit_test_setup(adds_up, begin),
        cmocka_unit_test_setup(asked_of_each_counter, begin),
        cmocka_unit_test_setup(names_the_cpu, begin),
        cmocka_unit_test_setup(seldom, begin),
        cmocka_unit_test_setup(a_result_has_its_failures, begin),
        cmocka_unit_test_setup(skipped, begin),
        cmocka_unit_test_setup(full, begin),
        cmocka_unit_test(rates),
    };
    return cmocka_run_group_tests(list, NULL, NULL);
}
