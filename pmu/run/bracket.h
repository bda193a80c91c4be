/* SPDX-License-Identifier: BSD-2-Clause */
/* What stands around a run: its begin, two readings that notice foreign work, and restoring the PMU. */
#pragma once

#include "kernel/interrupt/interrupt.h"
#include "pmu/cpu/caps.h"
#include "pmu/state/handoff.h"

/* ---- The start of a run: forgets what an earlier run learnt about the PMU, and reads each CPU's anew. */

/* Reads the capabilities of each CPU, completes the hand-off and installs the PMI handlers. tell: logs what it had to
 * do beside that. */
void pmu_begin(bool tell);
/* How that ended on one CPU: an access that faults or hangs ends it early, and what was not read is 0. */
const struct guard_result *pmu_begin_end(u32 cpu);

/*
 * Brackets around a measured block: what else happened on this CPU meanwhile. A block during which there was an SMI, a
 * machine check, a foreign NMI, a stray interrupt, or a write to our registers by other software says nothing about the
 * PMU; it is discarded and repeated, never judged. The comparison is pure (bracket_judge).
 */

/* The findings of bracket_close(), as bits; 0 is a clean block. */
enum bracket_finding {
    BRACKET_CLEAN = 0,
    BRACKET_SMI = 1,           /* MSR_SMI_COUNT changed */
    BRACKET_FOREIGN_WRITE = 2, /* a control register does not read as this image wrote it: bracket.foreign */
    BRACKET_EVENT = 4,         /* foreign NMI, machine check or APIC error */
    BRACKET_THROTTLED = 8,     /* the thermal monitor slowed the clock: counts are valid, times must not be judged */
    BRACKET_STRAY = 16,        /* an interrupt on a vector without a handler, or a spurious one */
};

struct bracket_reading {
    u64 tsc;
    u64 smi_count;
    struct interrupt_counts counts;
    u64 therm_status, package_therm_status;
};

struct bracket {
    struct bracket_reading opened, closed;
    u32 foreign;           /* the register that other software wrote (REGISTER_LVTPC: LVTPC); 0: none */
    u64 programmed, found; /* its value as written and as found */
};

/* Opens a bracket on the calling CPU, before the block. The block may program anything. */
void bracket_open(struct bracket *bracket, const struct pmu_caps *caps);
/*
 * Reads everything again, including all control registers that this image has written since pmu_begin(), and returns
 * what happened, as bits of enum bracket_finding.
 */
unsigned bracket_close(struct bracket *bracket, const struct pmu_caps *caps);

/* Judges the two readings and `foreign`. Pure. */
unsigned bracket_judge(const struct bracket *bracket);
/* TSC ticks between the two readings. Pure. */
u64 bracket_ticks(const struct bracket *bracket);
/*
 * Without MSR_SMI_COUNT (caps.smi_count): a block that took more than five times the median of its kind counts as
 * disturbed by an SMI. median 0: not known yet. Pure.
 */
bool bracket_gap(u64 ticks, u64 median);

/* ---- Restores PMU registers and LVTPC from a snapshot or from the hand-off. */

/*
 * Restores the calling CPU's registers: stops everything first and starts it last. Returns how many could not be
 * restored; the caller lists these, but does not judge them.
 */
unsigned snapshot_restore(const struct pmu_caps *caps, const struct snapshot *snapshot);
/*
 * Restores the calling CPU as it was found and returns how many registers could not be (see snapshot_restorable()). The
 * last action on a CPU: nothing may be counted afterwards. Not under the reference PMU.
 */
unsigned handoff_restore(void);
