/* SPDX-License-Identifier: BSD-2-Clause */
/* Preconditions that a test checks while it runs, because its declaration cannot express them. */
#pragma once

#include "harness/test.h"

/* Skips the test if IA32_PERF_CAPABILITIES does not exist or was not read: its bits are then unknown, not 0. */
void need_capabilities(struct test *t);
/* Skips the test if this CPU has fewer counters than `least`, GP and fixed together. */
void need_counters(struct test *t, unsigned least);
/* Skips the test if an erratum of this CPU lets the status bit of a counter that is stopped as it overflows stay
 * set. */
void need_bits_that_clear(struct test *t);
/* Skips the test if CPUID shows no transactions, or that microcode lets each of them abort. SDM 2A, CPUID, leaf 07H. */
void need_transactions(struct test *t);
