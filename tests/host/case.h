/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Included first by every host test. CASE(name) { ... } is a test case; main() has run_cases() run all of the file, or
 * passes them to cmocka itself, each as cmocka_unit_test(name).
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h> /* which needs the four headers above */

/* Of many that are alike `make test` (WHOLE=1) tries each, `make check` each n-th: how far apart those are. */
static inline unsigned each_nth(unsigned n)
{
    return getenv("WHOLE") ? 1 : n;
}

/* The cases of this file, which is one program, in its order. */
#define CASES_MOST 100
static struct {
    struct CMUnitTest item[CASES_MOST];
    size_t count;
} host_cases;

#define CASE(name)                                                                                    \
    static void name(void **state);                                                                   \
    __attribute__((constructor)) static void name##_is_a_case(void)                                   \
    {                                                                                                 \
        host_cases.item[host_cases.count++ % CASES_MOST] = (struct CMUnitTest)cmocka_unit_test(name); \
    }                                                                                                 \
    static void name(__attribute__((unused)) void **state)

/* What comes before and after each case, and before and after all; NULL: nothing. */
struct around_cases {
    CMFixtureFunction before_each, after_each, before, after;
};

static inline int run_cases_in(struct around_cases around)
{
    assert_in_range(host_cases.count, 1, CASES_MOST);
    for (size_t i = 0; i < host_cases.count; i++) {
        host_cases.item[i].setup_func = around.before_each;
        host_cases.item[i].teardown_func = around.after_each;
    }
    return _cmocka_run_group_tests("tests", host_cases.item, host_cases.count, around.before, around.after);
}

static inline int run_cases(void)
{
    return run_cases_in((struct around_cases){0});
}
