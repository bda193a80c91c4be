/*
 * What every host test begins with. CASE(name) { ... } is a test case; main() hands the cases to cmocka, each as
 * cmocka_unit_test(name).
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h> /* which needs the four above */

#define CASE(name) static void name(__attribute__((unused)) void **state)
