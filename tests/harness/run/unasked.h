/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nothing that comes unasked is lost: unexpected PMIs and machine checks count to the test in or after which they came;
 * NMIs from elsewhere and device interrupts are reported at the end of a run, the latter with a line that says where
 * the first one came. Boot CPU only, with the others idle.
 */
#pragma once

#include "harness/core/results.h"

/*
 * Reports errors that a machine check left in the banks before this program began, and interrupts that came before the
 * first test or were pending: they belong to no test.
 */
void unasked_at_start(void);
/*
 * Once, after the last test: errors in the banks that no line has reported yet. They raised no machine check, so the
 * hardware has corrected them, or nobody has consumed the damaged data: they are reported, and no verdict changes.
 */
void unasked_at_end(void);
/* A run begins. PMIs that came while it was armed are not reported. quiet: reports only machine checks. */
void unasked_begin(bool quiet);
/* What came on `cpu` in a test that is over: changes its outcome, logs it, and measures legal second PMIs. */
void unasked_in_test(u32 cpu, const char *test, struct results *results);
/* For cpus_run(): takes a PMI that is still requested. */
void unasked_take(void *argument);
/* What came on any CPU since the last call, after `test`. Returns on how many CPUs something was wrong. */
u32 unasked_after(const char *test);
/* Reports how many foreign NMIs came on each CPU since the last report. */
void unasked_sum(void);
