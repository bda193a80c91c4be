/*
 * Counters programmed, read and stopped, on the calling CPU. They are written only while stopped. SDM 3B,
 * "Architectural Performance Monitoring".
 */
#pragma once

#include "kernel/register/msr.h"
#include "pmu/cpu/counters.h"
#include "pmu/gate/counted.h"

enum counter_flags {
    COUNT_OS = 1,
    COUNT_USR = 2,
    COUNT_INT = 4, /* PMI on overflow */
};

/*
 * Programs control registers and value with GLOBAL_CTRL still holding the counter stopped (version 1: EN is left
 * clear). `event` is umask:event as in ARCH_EVENT_INSTRUCTIONS; ignored for fixed counters.
 */
void counter_setup(struct counter counter, u16 event, unsigned flags, u64 value);
/* Value as read through its MSR, `width` bits. */
u64 counter_read(struct counter counter);
/* Sets the value. False if this CPU cannot hold it (without full-width writes: bit 31 is sign-extended). */
bool counter_write(struct counter counter, u64 value);
/* Clears control and value. */
void counter_clear(struct counter counter);

/*
 * `mask` is IA32_PERF_GLOBAL_CTRL bits; version 1 has no such register and can switch one GP counter only, whose event
 * select must be set up.
 */
struct switch_write counters_switch(const struct pmu_caps *caps, u64 mask);

/*
 * As counters_switch(), for fixed counters alone, which are set up: from now on IA32_PERF_GLOBAL_CTRL lets those of
 * `mask` count, and IA32_FIXED_CTR_CTRL starts and stops them, with what is in it now. HSD143 and HSM154 ask for that
 * order: the other way round, with two threads in a core, fixed counter 0 may count up to 32 too many at each start.
 * Users have met such counts in this order as well; a counter that is written with 0 before its value was free of them.
 * Version 2 and later. fixed_switch_end() stops them by both and puts the control back.
 */
struct switch_write fixed_switch(u64 mask);
void fixed_switch_end(const struct switch_write *start_stop);

/*
 * Stops everything: GLOBAL_CTRL, then controls (all counters of the CPU), PEBS_ENABLE. Clears STATUS. Does nothing
 * without a PMU.
 */
void pmu_stop_all(const struct pmu_caps *caps);
/* IA32_PERF_GLOBAL_STATUS; 0 below version 2. */
u64 pmu_status(void);
/* Clears STATUS bits by writing them to IA32_PERF_GLOBAL_STATUS_RESET / OVF_CTRL; undefined bits are left out. */
void pmu_status_clear(u64 bits);
