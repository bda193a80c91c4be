/*
 * Brackets around a measured block: what else happened on this CPU meanwhile. A block during which an SMI, a machine
 * check, a foreign NMI or a stray interrupt came, or in which somebody else wrote our registers, says nothing about the
 * PMU; it is discarded and repeated, never judged. Comparing is pure (bracket_judge).
 */
#pragma once

#include "kernel/interrupt/interrupt.h"
#include "pmu/cpu/caps.h"

/* What bracket_close() found, as a set; 0 is a clean block. */
enum bracket_finding {
    BRACKET_CLEAN = 0,
    BRACKET_SMI = 1,           /* MSR_SMI_COUNT moved */
    BRACKET_FOREIGN_WRITE = 2, /* a control register does not read as this image wrote it: bracket.foreign */
    BRACKET_EVENT = 4,         /* foreign NMI, machine check, APIC error */
    BRACKET_THROTTLED = 8,     /* the thermal monitor slowed the clock: counts are good, times are not to be judged */
    BRACKET_STRAY = 16,        /* an interrupt on a vector that nobody uses, or a spurious one */
};

struct bracket_reading {
    u64 tsc;
    u64 smi_count;
    struct interrupt_counts counts;
    u64 therm_status, package_therm_status;
};

struct bracket {
    struct bracket_reading opened, closed;
    u32 foreign;           /* the register (REGISTER_LVTPC: LVTPC) of a foreign write, 0 if there was none */
    u64 programmed, found; /* its value as written and as found */
};

/* Opens a bracket on the calling CPU, before the block. The block may program what it likes. */
void bracket_open(struct bracket *bracket, const struct pmu_caps *caps);
/*
 * Reads everything again, and all control registers that this image has written since pmu_begin(), and returns
 * what happened: a set of enum bracket_finding.
 */
unsigned bracket_close(struct bracket *bracket, const struct pmu_caps *caps);

/* Pure: judges the two readings and `foreign`. */
unsigned bracket_judge(const struct bracket *bracket);
/* Pure: TSC ticks between the two readings. */
u64 bracket_ticks(const struct bracket *bracket);
/*
 * Pure. Where MSR_SMI_COUNT does not exist (caps.smi_count), a block that took more than five times the median of its
 * like is taken to have had an SMI in it. median 0: not known yet.
 */
bool bracket_gap(u64 ticks, u64 median);
