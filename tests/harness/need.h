/* Preconditions that a test asks for while it runs, as its declaration has no word for them. */
#pragma once

#include "harness/test.h"

/* Skips the test if IA32_PERF_CAPABILITIES is not there, or was not read: its bits are then unknown, not 0. */
void need_capabilities(struct test *t);
/* Skips the test if this CPU has fewer counters, GP and fixed together. */
void need_counters(struct test *t, unsigned least);
/* Skips the test if an erratum of this CPU lets a status bit stay for good whose counter is stopped as it overflows. */
void need_bits_that_clear(struct test *t);
