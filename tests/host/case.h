/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Included first by every host test. CASE(name) { ... } is a test case; main() passes the cases to cmocka, each as
 * cmocka_unit_test(name).
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

#define CASE(name) static void name(__attribute__((unused)) void **state)
