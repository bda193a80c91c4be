/*
 * Brackets around a measured block: what else happened on this CPU meanwhile. A block during which an SMI, a machine
 * check or a foreign NMI came, or in which somebody else wrote our registers, says nothing about the PMU; it is
 * discarded and repeated, never judged. Comparing is pure (bracket_judge).
 */
#pragma once

#include "kernel/interrupt.h"
#include "pmu/caps.h"

/* What bracket_close() found; 0 is a clean block. */
enum bracket_finding {
    BRACKET_CLEAN = 0,
    BRACKET_SMI = 1,           /* MSR_SMI_COUNT moved */
    BRACKET_FOREIGN_WRITE = 2, /* a control register differs from what was programmed: bracket.foreign */
    BRACKET_EVENT = 4,         /* foreign NMI, machine check, spurious or unexpected interrupt, APIC error */
    BRACKET_THROTTLED = 8,     /* the thermal monitor slowed the clock: times are not to be judged */
};

#define BRACKET_OWN_MAX 20
struct bracket_reading {
    u64 tsc;
    u64 smi_count;
    struct interrupt_counts counts;
    u64 therm_status, package_therm_status;
    u64 own[BRACKET_OWN_MAX]; /* in the order of struct bracket's `own` */
};

struct bracket {
    u32 own[BRACKET_OWN_MAX]; /* the control registers that must stay as programmed */
    unsigned owned;
    struct bracket_reading opened, closed;
    u32 foreign; /* BRACKET_FOREIGN_WRITE: the register, its value as programmed and as found */
    u64 programmed, found;
};

/*
 * Opens a bracket on the calling CPU: reads all control registers (event selects, fixed and global control, DEBUGCTL,
 * LVTPC without its mask, PEBS enable, DS area) as they are programmed now. Call after programming, before the block.
 */
void bracket_open(struct bracket *bracket, const struct pmu_caps *caps);
/* The same for another block run with unchanged control registers: cheaper, they are not read again. */
void bracket_reopen(struct bracket *bracket, const struct pmu_caps *caps);
/* Reads everything again and returns what happened: a set of enum bracket_finding. */
unsigned bracket_close(struct bracket *bracket, const struct pmu_caps *caps);

/* Pure: compares the two readings, fills foreign, programmed and found. */
unsigned bracket_judge(struct bracket *bracket);
/* Pure: TSC ticks between the two readings. */
u64 bracket_ticks(const struct bracket *bracket);
/*
 * Pure. Where MSR_SMI_COUNT does not exist (caps.smi_count), a block that took more than five times the median of its
 * like is taken to have had an SMI in it. median 0: not known yet.
 */
bool bracket_gap(u64 ticks, u64 median);
