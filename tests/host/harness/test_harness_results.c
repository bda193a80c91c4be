/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/fold.h"
#include "tests/host/case.h"

#include <string.h>

static struct results results[4];
static struct folded folded;

static void check(struct results *r, const char *label, u64 got, u64 want)
{
    struct check row = {.label = label, .msr = 0xc1, .bit = NO_BIT, .kind = CHECK_EQUAL, .got = got, .want = want};
    results_check(r, &row, got == want);
}

/* The checks and measurements of a spoilt repeat are dropped. */
CASE(journal)
{
    struct results *r = &results[0];
    results_clear(r);
    results_open(r);
    check(r, "a", 1, 2);
    results_measure(r, "m", "ticks", 5);
    assert_false(results_close(r, false));
    assert_int_equal(results_checked(r), 0);
    assert_int_equal(r->measures, 0);
    results_open(r);
    check(r, "a", 1, 2);
    check(r, "b", 2, 2);
    results_measure(r, "m", "ticks", 6);
    assert_true(results_close(r, true));
    results_open(r);
    check(r, "b", 2, 2);
    assert_false(results_close(r, true));
    assert_int_equal(results_checked(r), 3);
    assert_int_equal(r->checks, 2);
    assert_int_equal(r->check[0].failed, 1);
    assert_true(r->check[0].repeated);
    assert_int_equal(r->measure[0].histogram.n, 1);
    assert_int_equal(r->measure[0].histogram.max, 6);
    assert_int_equal(r->repeats, 2);
    assert_int_equal(r->discarded, 1);
}

/* Label, register, bit and kind identify a check; got and want are from the worst failure. */
CASE(identity)
{
    struct results *r = &results[0];
    struct check row = {.label = "x", .msr = 0xc1, .bit = 3, .kind = CHECK_EQUAL, .got = 5, .want = 6};
    results_clear(r);
    results_check(r, &row, true);
    row.got = 8;
    results_check(r, &row, false);
    row.got = 9;
    results_check(r, &row, false);
    row.bit = 4;
    results_check(r, &row, true);
    row.msr = 0xc2;
    results_check(r, &row, true);
    row.kind = CHECK_TRUE;
    results_check(r, &row, true);
    assert_int_equal(r->checks, 4);
    assert_int_equal(r->check[0].got, 9);
    assert_int_equal(r->check[0].failing.distance, 3);
    assert_true(r->check[0].failing.more && r->check[0].failing.varied && !r->check[0].failing.less);
    assert_int_equal(r->check[0].failed, 2);
    assert_int_equal(r->check[0].held, 1);
    assert_false(r->check[0].repeated);
}

CASE(journal_overflow)
{
    struct results *r = &results[0];
    results_clear(r);
    results_open(r);
    for (unsigned i = 0; i <= JOURNAL_MAX; i++)
        check(r, "a", 1, 1);
    results_close(r, true);
    assert_true(r->overflowed);
    results_clear(r);
    static const char *const names[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"};
    for_each_row (names, name)
        results_measure(r, *name, "unit", 1);
    assert_true(r->overflowed);
    assert_int_equal(r->measures, MEASURES_MAX);
}

CASE(tallies)
{
    struct tally tally = {0};
    assert_int_equal(tally_mode(&tally), TALLY_VALUES);
    tally_add(&tally, 96);
    tally_add(&tally, 97);
    tally_add(&tally, 97);
    assert_int_equal(tally.value[tally_mode(&tally)], 97);
    for (u64 i = 0; i < 20; i++)
        tally_add(&tally, i);
    assert_int_equal(tally.value[tally_mode(&tally)], 97);
    assert_int_equal(tally.total, 23);
    assert_int_equal(tally.other, 14);
    assert_int_equal(tally.least, 6);
    assert_int_equal(tally.most, 19);
}

CASE(histograms)
{
    static struct histogram h, sum;
    char text[64];
    histogram_clear(&h);
    assert_int_equal(histogram_quantile(&h, 500), 0);
    assert_string_equal(histogram_text(&h, 8, text, sizeof(text)), "");
    for (u64 i = 1; i <= 100; i++)
        histogram_add(&h, i % 10);
    assert_int_equal(h.min, 0);
    assert_int_equal(h.max, 9);
    assert_int_equal(histogram_quantile(&h, 0), 0);
    assert_int_equal(histogram_quantile(&h, 500), 4);
    assert_int_equal(histogram_quantile(&h, 1000), 9);
    assert_string_equal(histogram_text(&h, 2, text, sizeof(text)), "0:80,8:20");
    histogram_clear(&sum);
    histogram_merge(&sum, &h);
    histogram_add(&sum, ~0ull);
    assert_int_equal(sum.n, 101);
    assert_int_equal(sum.max, ~0ull);
    assert_string_equal(histogram_text(&h, 64, text, 32), "0:10,1:10,2:10,3:10,4:10,5:10");
    for (unsigned b = 0; b < HISTOGRAM_BUCKETS; b++) {
        histogram_clear(&h);
        histogram_add(&h, histogram_floor(b));
        assert_int_equal(h.bucket[b], 1);
    }
}

/* The histogram still separates an outlier that is off by an eighth. */
CASE(histogram_error)
{
    static struct histogram h;
    for (u64 value = 1; value < 1ull << 60; value = value * 9 / 8 + 1) {
        histogram_clear(&h);
        histogram_add(&h, value);
        histogram_add(&h, ~0ull);
        u64 median = histogram_quantile(&h, 500);
        assert_true(median <= value && value - median <= value / 8);
    }
}

CASE(cpu_lists)
{
    struct cpu_set set = {0};
    char text[24];
    assert_string_equal(cpu_set_text(&set, text, sizeof(text)), "");
    cpu_set_add(&set, 0);
    assert_string_equal(cpu_set_text(&set, text, sizeof(text)), "0");
    cpu_set_add(&set, 1);
    cpu_set_add(&set, 2);
    cpu_set_add(&set, 5);
    assert_string_equal(cpu_set_text(&set, text, sizeof(text)), "0-2,5");
    for (u32 cpu = 7; cpu < MAX_CPUS; cpu += 2)
        cpu_set_add(&set, cpu);
    assert_string_equal(cpu_set_text(&set, text, sizeof(text)), "0-2,5,7,9,...");
}

static void judged(struct results *r, enum outcome outcome, const char *reason)
{
    results_clear(r);
    results_raise(r, outcome, outcome == OUTCOME_SKIP ? REASON_FIRMWARE_CPUS : REASON_NONE, reason);
}

/* Equal findings of several CPUs are joined; a skip on some CPUs hides nothing. */
CASE(folding)
{
    char text[CPU_SET_TEXT];
    fold_clear(&folded);
    judged(&results[0], OUTCOME_SKIP, "version 2");
    judged(&results[1], OUTCOME_PASS, "");
    judged(&results[2], OUTCOME_FAIL, "");
    judged(&results[3], OUTCOME_FAIL, "");
    for (unsigned cpu = 2; cpu < 4; cpu++) {
        check(&results[cpu], "x", 1, 2);
        results[cpu].check[0].outcome = OUTCOME_FAIL;
        results_measure(&results[cpu], "m", "ticks", cpu);
    }
    for (unsigned cpu = 0; cpu < 4; cpu++)
        fold_add(&folded, &results[cpu], cpu, 0);
    assert_int_equal(folded.outcome, OUTCOME_FAIL);
    assert_int_equal(folded.failures, 1);
    assert_int_equal(folded.failure[0].check.failed, 2);
    assert_string_equal(cpu_set_text(&folded.failure[0].cpus, text, sizeof(text)), "2-3");
    assert_int_equal(folded.parts, 1);
    assert_int_equal(folded.measures, 1);
    assert_int_equal(folded.measure[0].histogram.n, 2);
}

CASE(folded_skips)
{
    fold_clear(&folded);
    judged(&results[0], OUTCOME_SKIP, "version 2");
    fold_add(&folded, &results[0], 0, 0);
    fold_add(&folded, &results[0], 1, 0);
    assert_int_equal(folded.outcome, OUTCOME_SKIP);
    assert_string_equal(folded.reason, "version 2");
    assert_int_equal(folded.code, REASON_FIRMWARE_CPUS);
    judged(&results[1], OUTCOME_PASS, "");
    fold_add(&folded, &results[1], 2, 0);
    assert_int_equal(folded.outcome, OUTCOME_PASS);
    assert_int_equal(folded.code, REASON_NONE);
    fold_add(&folded, &results[0], 3, 0);
    assert_int_equal(folded.outcome, OUTCOME_PASS);
    fold_lost(&folded, 4, REASON_ERROR_LOST, "gone");
    assert_int_equal(folded.outcome, OUTCOME_ERROR);
    assert_string_equal(folded.reason, "gone");
    assert_int_equal(folded.code, REASON_ERROR_LOST);
    assert_int_equal(folded.parts, 2);
    assert_int_equal(folded.part[0].code, REASON_FIRMWARE_CPUS);
    assert_int_equal(folded.part[1].code, REASON_ERROR_LOST);
}

/* The caller's words replace the helper's, for one check only. */
CASE(what_a_check_is_about)
{
    struct results *r = &results[0];
    results_clear(r);
    assert_int_equal(results_about(r, 0), 0);
    assert_int_equal(results_about(r, ASPECT_STATUS_BIT), ASPECT_STATUS_BIT);
    r->about = ASPECT_IN_USE;
    assert_int_equal(results_about(r, ASPECT_STATUS_BIT), ASPECT_IN_USE);
    assert_int_equal(results_about(r, ASPECT_STATUS_BIT), ASPECT_STATUS_BIT);
}

int main(void)
{
    return run_cases();
}
