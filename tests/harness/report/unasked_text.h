/*
 * What came that no test had asked for: PMIs while none was awaited, storms of them, machine checks, NMIs from
 * elsewhere, interrupts of devices. As lines of the log, and as the reason of an outcome. Pure.
 */
#pragma once

#include "harness/core/reason.h"
#include "kernel/interrupt/machine_check.h"
#include "kernel/interrupt/stray.h"
#include "pmu/run/pmi.h"

struct unasked {
    struct pmi_unasked pmi;
    u32 foreign_nmis, machine_checks;
};
/* What came between two looks. */
struct unasked unasked_between(const struct unasked *before, const struct unasked *after);

/* The label of PMIs that a good PMU does not send, NULL if none came. */
const char *unasked_label(const struct unasked *came);
/* Why the test in which this came is an error, the gravest first, and in words; REASON_NONE: it is none. */
#define UNASKED_REASON 96
enum reason unasked_reason(const struct unasked *came, char *text);

/* `when` and `test`: "in=pmi.masked", "after=pmi.masked", "at=start". NULL: there is nothing to say. */
#define UNASKED_LINE 256
const char *unasked_pmi_line(char *line, u32 cpu, const char *when, const char *test, const struct unasked *came);
/* `count` of them since the last look; `rip` is where the first since start came. */
const char *unasked_stray_line(char *line, u32 cpu, const char *when, const char *test, const struct stray *came);
/*
 * Of a whole run, on all CPUs, which are `cpus` in words. Spurious ones of the local APIC have no advice.
 * UNASKED_OTHERS stands for all vectors of which a CPU had no room to keep a count.
 */
#define UNASKED_OTHERS 0
const char *unasked_stray_sum(char *line, const char *cpus, u8 vector, u32 count);
const char *unasked_bank_line(char *line, u32 cpu, const char *when, const char *test,
                              const struct machine_check *check);
