/*
 * Nothing that comes unasked is lost: the test that it came in or after is told of PMIs that were not awaited and of
 * machine checks, and the end of a run of NMIs from elsewhere and of interrupts of devices; of these a line says where
 * the first came. Boot CPU only, the others idle.
 */
#pragma once

#include "harness/core/results.h"

/*
 * The errors that a machine check left in the banks before this program began, as found; and interrupts that came
 * before the first test, or wait for being let in: those are no test's.
 */
void unasked_at_start(void);
/*
 * Once, after the last test: errors that the banks hold and that no line has told yet. They raised no machine check, so
 * the hardware has corrected them, or nobody has consumed what they spoiled: told, and no verdict changes.
 */
void unasked_at_end(void);
/* A run begins. What its arming brought in the way of PMIs is not said. quiet: only of machine checks. */
void unasked_begin(bool quiet);
/* What came on `cpu` in a test that is over: its outcome, lines of the log, the legal second PMIs as a measurement. */
void unasked_in_test(u32 cpu, const char *test, struct results *results);
/* For cpus_run(): takes a PMI that is still requested. */
void unasked_take(void *argument);
/* What came on any CPU since it was last asked for, after `test`. Returns on how many something was wrong. */
u32 unasked_after(const char *test);
/* How many NMIs from elsewhere came on each CPU since this was last said. */
void unasked_sum(void);
