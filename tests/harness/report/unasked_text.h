/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events that no test had asked for: unexpected PMIs, storms of them, machine checks, foreign NMIs, device interrupts.
 * As lines of the log, and as the reason of an outcome. Pure.
 */
#pragma once

#include "harness/core/reason.h"
#include "kernel/interrupt/interrupt.h"
#include "pmu/run/pmi.h"

struct unasked {
    struct pmi_unasked pmi;
    u32 foreign_nmis, machine_checks;
};
/* What came between two readings. */
struct unasked unasked_between(const struct unasked *before, const struct unasked *after);

/* The label for PMIs that a good PMU does not send; NULL if none came. */
const char *unasked_label(const struct unasked *came);
/* Why the test in which this came is an error, the most serious reason first, and in words; REASON_NONE: no error. */
#define UNASKED_REASON 96
enum reason unasked_reason(const struct unasked *came, char *text);

/* `when` and `test` make "in=pmi.masked", "after=pmi.masked" or "at=start". NULL: there is nothing to report. */
#define UNASKED_LINE 256
const char *unasked_pmi_line(char *line, u32 cpu, const char *when, const char *test, const struct unasked *came);
/* `count`: since the last reading; `rip`: where the first one since the start came. */
const char *unasked_stray_line(char *line, u32 cpu, const char *when, const char *test, const struct stray *came);
/*
 * For a whole run, on all CPUs, whose list is `cpus`. Spurious interrupts of the local APIC have no advice.
 * UNASKED_OTHERS stands for all vectors for which a CPU had no room to count.
 */
#define UNASKED_OTHERS 0
const char *unasked_stray_sum(char *line, const char *cpus, u8 vector, u32 count);
const char *unasked_bank_line(char *line, u32 cpu, const char *when, const char *test,
                              const struct machine_check *check);
