/* SPDX-License-Identifier: BSD-2-Clause */
/* The choice of defects where there is little time, and what is known of each label afterwards. */
#include "kernel/text/text.h"
#include "reference/deviations/deviations.h"
#include "reference/mode/prove.h"
#include "tests/host/case.h"
#include <string.h>

static struct provers_book book;
static bool may[PROVERS_DEFECTS];

static const struct test_declaration selects = {.id = "access.event-select"}, control = {.id = "access.fixed-control"};

static void begin(void)
{
    static const struct test_declaration *const tests[] = {&selects, &control};
    provers_begin(&book, tests, 2);
    for (unsigned i = 0; i < PROVERS_DEFECTS; i++)
        may[i] = i < deviation_count;
}

static void ask(const char *test, const char *label, bool failed, enum outcome outcome)
{
    static struct results results;
    memset(&results, 0, sizeof(results));
    results.outcome = outcome;
    results.checks = 1;
    results.check[0].label = label;
    results.check[0].failed = failed;
    provers_note(&book, test, &results);
}

static void plain(const char *test, const char *label, bool failed)
{
    provers_run(&book, true);
    ask(test, label, failed, OUTCOME_PASS);
    provers_end_plain(&book, test);
}

CASE(table_is_sorted_and_names_defects)
{
    assert_true(deviation_count <= PROVERS_DEFECTS);
    for (unsigned n = 0; n < prover_count; n++) {
        char name[PROVERS_NAME];
        const char *list = provers[n].by;
        assert_true(!n || strcmp(provers[n - 1].test, provers[n].test) <= 0);
        assert_int_equal(provers_row(provers[n].test, provers[n].label), (int)n);
        unsigned defects = 0;
        for (; list_next(&list, name, sizeof(name)); defects++)
            assert_true(deviation_find(name) >= 0);
        assert_true(defects && defects <= PROVERS_EACH);
    }
}

CASE(a_defect_for_more_labels_of_a_test_comes_first)
{
    begin();
    int first = provers_next(&book, may, 100);
    assert_true(first >= 0);
    assert_true(provers_wants(&book, first, selects.id) || provers_wants(&book, first, control.id));
    assert_int_equal(provers_next(&book, may, 0), -1); /* no run is left */
    may[first] = false;
    assert_int_not_equal(provers_next(&book, may, 100), first);
}

CASE(what_did_not_hold_without_a_defect_is_not_shown_by_one)
{
    int defect = deviation_find("fixed-ctrl-drops-usr");
    begin();
    plain(control.id, "defined-bit-lost", true);
    assert_true(provers_ran(&book, control.id));
    assert_false(provers_wants(&book, defect, control.id));
    provers_run(&book, false);
    ask(control.id, "defined-bit-lost", true, OUTCOME_FAIL);
    assert_int_equal(provers_end(&book, defect, true), 0);
    assert_int_equal(provers_shown(&book), 0);
}

CASE(what_failed_is_shown_once)
{
    int defect = deviation_find("fixed-ctrl-drops-usr");
    begin();
    plain(control.id, "defined-bit-lost", false);
    assert_true(provers_wants(&book, defect, control.id));
    provers_run(&book, false);
    ask(control.id, "defined-bit-lost", true, OUTCOME_FAIL);
    assert_int_equal(provers_end(&book, defect, true), 1);
    assert_int_equal(provers_shown(&book), 1);
    assert_false(provers_wants(&book, defect, control.id));
}

/* Only when all its defects were shown in vain is a label in doubt; what changed nothing was not shown. */
CASE(in_vain_needs_every_defect)
{
    int one = deviation_find("fixed-ctrl-drops-usr"), other = deviation_find("leaf-overstates-fixed");
    int row = provers_row(control.id, "defined-bit-lost");
    begin();
    plain(control.id, "defined-bit-lost", false);
    provers_run(&book, false);
    ask(control.id, "defined-bit-lost", false, OUTCOME_PASS);
    assert_int_equal(provers_end(&book, one, true), 0);
    may[one] = false;
    assert_false(provers_in_vain(&book, may, (unsigned)row));
    assert_true(provers_wants(&book, other, control.id));
    provers_run(&book, false);
    ask(control.id, "defined-bit-lost", false, OUTCOME_PASS);
    assert_int_equal(provers_end(&book, other, false), 0);
    may[other] = false;
    assert_true(provers_in_vain(&book, may, (unsigned)row));
}

CASE(a_test_that_ends_in_an_error_says_nothing)
{
    int one = deviation_find("fixed-ctrl-drops-usr"), other = deviation_find("leaf-overstates-fixed");
    begin();
    plain(control.id, "defined-bit-lost", false);
    provers_run(&book, false);
    ask(control.id, "defined-bit-lost", true, OUTCOME_ERROR);
    assert_int_equal(provers_end(&book, one, true), 0);
    provers_run(&book, false);
    ask(control.id, "defined-bit-lost", false, OUTCOME_PASS);
    assert_int_equal(provers_end(&book, other, true), 0);
    may[one] = may[other] = false;
    assert_false(provers_in_vain(&book, may, (unsigned)provers_row(control.id, "defined-bit-lost")));
}

/* On some CPUs a defect shows by another label of the same test. */
CASE(a_test_that_notices_it_otherwise_is_not_in_vain)
{
    int one = deviation_find("fixed-ctrl-drops-usr"), other = deviation_find("leaf-overstates-fixed");
    begin();
    provers_run(&book, true);
    ask(control.id, "defined-bit-lost", false, OUTCOME_PASS);
    ask(control.id, "absent-field-accepted", false, OUTCOME_PASS);
    provers_end_plain(&book, control.id);
    provers_run(&book, false);
    ask(control.id, "absent-field-accepted", true, OUTCOME_FAIL);
    assert_int_equal(provers_end(&book, one, true), 1);
    provers_run(&book, false);
    ask(control.id, "absent-field-accepted", true, OUTCOME_FAIL);
    provers_end(&book, other, true);
    may[one] = may[other] = false;
    assert_false(provers_in_vain(&book, may, (unsigned)provers_row(control.id, "defined-bit-lost")));
}

CASE(what_could_not_show_says_nothing)
{
    int one = deviation_find("fixed-ctrl-drops-usr"), other = deviation_find("leaf-overstates-fixed");
    begin();
    plain(control.id, "defined-bit-lost", false);
    provers_run(&book, false);
    provers_end(&book, one, false);
    provers_end(&book, other, false);
    may[one] = may[other] = false;
    assert_false(provers_in_vain(&book, may, (unsigned)provers_row(control.id, "defined-bit-lost")));
}

int main(void)
{
    return run_cases();
}
