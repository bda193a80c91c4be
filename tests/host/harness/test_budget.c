/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The longest time of the tests on silicon, by the budget's own arithmetic: the number of tests, and which of them run
 * on one CPU after another, come from the sources. Run from the top of the tree.
 */
#include "harness/core/budget.h"
#include "tests/host/case.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#define CPUS 16
#define MINUTE_US 60000000ull

static char text[65536];

/* The number of occurrences of a word in a file. */
static unsigned count_in(const char *path, const char *word)
{
    unsigned count = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = 0;
    fclose(file);
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        count++;
    return count;
}

/* NetBurst's tests run on CPUs without leaf 0AH, where the others do not, and those of guests on no hardware. */
static bool with_the_others(const char *path)
{
    static const char *const apart[] = {
        "tests/host/",         "tests/fuzz/",          "tests/harness/",         "tests/netburst/",
        "tests/enum/no-pmu.c", "tests/enum/no-more.c", "tests/access/migrated.c"};
    for_each_row (apart, part)
        if (strstr(path, *part))
            return false;
    return true;
}

static void of_all_tests(const char *word, unsigned *count)
{
    glob_t files;
    *count = 0;
    assert_int_equal(glob("tests/*/*.c", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *path = files.gl_pathv[i];
        if (with_the_others(path))
            *count += count_in(path, word);
    }
    globfree(&files);
}

CASE(a_minute)
{
    unsigned tests, in_turn, slopes;
    of_all_tests("\nTEST(\"", &tests);
    of_all_tests("EACH_CPU_IN_TURN, .repeat", &in_turn); /* one that does not repeat takes no time for it */
    of_all_tests("count_slope(", &slopes);
    assert_true(tests > 100);
    assert_true(slopes > 0 && slopes < 40); /* each in a loop of some turns: SLOPES_MOST in budget.c */
    budget_set_pmu(PMU_HARDWARE);
    assert_int_equal(budget().events, 1000000);
    assert_true(budget_suite_us(tests, in_turn, CPUS) < MINUTE_US);
    budget_set_quick(true);
    assert_int_equal(budget().events, 0);
    assert_true(budget_suite_us(tests, in_turn, CPUS) < MINUTE_US * 5 / 12); /* 80 ms a test; there are 250 */
}

CASE(arithmetic)
{
    budget_set_quick(false);
    budget_set_pmu(PMU_VIRTUAL);
    assert_int_equal(budget_suite_us(10, 0, CPUS), 14375 + 2 * 92000 + 10 * (60000 + CPUS * 60 + 92000));
    assert_int_equal(budget_suite_us(10, 1, CPUS),
                     14375 + 2 * 92000 + 10 * (60000 + CPUS * 60) + 25 * 92000 + CPUS * 2000);
    budget_set_pmu(PMU_REFERENCE);
    assert_int_equal(budget_suite_us(10, 0, CPUS), 3125 + 2 * 20000 + 10 * (60000 + CPUS * 60 + 20000));
    assert_int_equal(budget().repeats, 40);
    budget_set_cpus(4);
    assert_int_equal(budget().repeats, 20);
    budget_set_cpus(64);
    assert_int_equal(budget().repeats, 3);
    budget_set_proof(true);
    assert_int_equal(budget().repeats, 5);
    assert_int_equal(budget_suite_us(1, 0, 1), 31 + 3 * 2000 + 60000 + 60);
    budget_set_proof(false);
}

/* By the same arithmetic, all tests, and NetBurst's as well. */
CASE(a_large_server)
{
    unsigned tests, in_turn;
    of_all_tests("\nTEST(\"", &tests);
    of_all_tests("EACH_CPU_IN_TURN, .repeat", &in_turn); /* one that does not repeat takes no time for it */
    budget_set_quick(false);
    budget_set_pmu(PMU_HARDWARE);
    assert_int_equal(budget_turn_us(1), 92000);
    assert_int_equal(budget_turn_us(100), 92000);
    assert_int_equal(budget_turn_us(1000), 10000);
    assert_true(budget_suite_us(tests, in_turn, 1024) < 2 * MINUTE_US);
    assert_true(budget_suite_us(tests + 40, in_turn + 12, 1024) < 5 * MINUTE_US);
    budget_set_soak(2000000, 4);
    assert_int_equal(budget_turn_us(1024), 2000000);
}

int main(void)
{
    return run_cases();
}
