/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs, reads and stops counters of the calling CPU. They are written only while stopped. SDM 3B, "Architectural
 * Performance Monitoring".
 */
#pragma once

#include "kernel/register/msr.h"
#include "pmu/cpu/caps.h"
#include "pmu/cpu/counters.h"
#include "pmu/gate/gate.h"

enum counter_flags {
    COUNT_OS = 1,
    COUNT_USR = 2,
    COUNT_INT = 4, /* PMI on overflow */
};

/*
 * Programs control and value of a counter, which GLOBAL_CTRL still keeps stopped (version 1: EN stays clear). `event`
 * is umask:event as in ARCH_EVENT_INSTRUCTIONS; ignored for fixed counters.
 */
void counter_setup(struct counter counter, u16 event, unsigned flags, u64 value);
/* The value as read through its MSR, `width` bits. */
u64 counter_read(struct counter counter);
/* Sets the value. False if this CPU cannot hold it (without full-width writes: bit 31 is sign-extended). */
bool counter_write(struct counter counter, u64 value);
/* Clears control and value. */
void counter_clear(struct counter counter);

/*
 * `mask` has the bits of IA32_PERF_GLOBAL_CTRL. Version 1 has no such register and can switch only one GP counter,
 * whose event select must be set up.
 */
struct switch_write counters_switch(const struct pmu_caps *caps, u64 mask);

/*
 * Like counters_switch(), but for fixed counters only, which must be set up. From now on IA32_PERF_GLOBAL_CTRL lets
 * those of `mask` count, and IA32_FIXED_CTR_CTRL, with its present value, starts and stops them. HSD143 and HSM154 ask
 * for this order: in the other one, with two threads in a core, fixed counter 0 may count up to 32 too many at each
 * start. Users have seen such counts in this order as well, but not if 0 was written to the counter before its value.
 * Version 2 and later. fixed_switch_end() stops the counters by both registers and restores the control.
 */
struct switch_write fixed_switch(u64 mask);
void fixed_switch_end(const struct switch_write *start_stop);

/*
 * Stops everything: GLOBAL_CTRL, then the controls of all counters, then PEBS_ENABLE. Clears STATUS. Does nothing
 * without a PMU. Registers that fault are left out: some emulators and hypervisors show leaf 0AH without them.
 */
void pmu_stop_all(const struct pmu_caps *caps);
/* IA32_PERF_GLOBAL_STATUS; 0 below version 2. */
u64 pmu_status(void);
/* Clears STATUS bits by writing them to IA32_PERF_GLOBAL_STATUS_RESET / OVF_CTRL; ignores undefined bits. */
void pmu_status_clear(u64 bits);

/*
 * Freezing by IA32_DEBUGCTL: on a PMI the counters, or the last-branch records, stop automatically. SDM 3B, "Freezing
 * LBRs and Performance Counters on PMI". From version 4 on ("streamlined") a status bit says that they are frozen, and
 * clearing it lets them continue; earlier versions clear the enable bits. Functions act on the calling CPU.
 */

/* May IA32_DEBUGCTL[12], freeze counters on PMI, be set on this CPU? Pure. */
bool freeze_possible(const struct pmu_caps *caps);
/*
 * May IA32_DEBUGCTL[11], freeze LBRs on PMI, be set on this CPU, with the LBRs of IA32_DEBUGCTL[0]? Architectural LBRs
 * have an enable of their own. Pure.
 */
bool freeze_lbrs_possible(const struct pmu_caps *caps);

/* Sets bits in IA32_DEBUGCTL and returns its previous value, for freeze_end(). */
u64 freeze_begin(u64 bits);
/* Restores IA32_DEBUGCTL, and clears the two freeze bits of STATUS (version 4). */
void freeze_end(u64 found);

/*
 * What a set-up of counters leaves open can be varied: fields of their controls, and which counters run beside those
 * that are started.
 */

struct counter_vary {
    /* The control that is written instead: of a GP counter its IA32_PERFEVTSELn, of a fixed one its field in place. */
    u64 (*control)(void *argument, struct counter counter, u64 control);
    /* The bits of IA32_PERF_GLOBAL_CTRL that are set instead of `mask`. */
    u64 (*started)(void *argument, u64 mask);
    void *argument;
};

/* From now on for counter_setup() and counters_switch() of the calling CPU; NULL: as they are asked. It must stay. */
void counter_vary(const struct counter_vary *vary);
