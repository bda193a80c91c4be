/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The LVT performance-counter entry and the PMI handler. The handler records first, then does what the test chose.
 * SDM 3A, "Local Vector Table"; SDM 3B, "Performance Monitoring Interrupt" text of each version.
 */
#pragma once

#include "boot/bits.h"
#include "kernel/interrupt/frame.h"
#include "pmu/cpu/caps.h"

enum pmi_delivery { PMI_FIXED, PMI_NMI };

/* One PMI as the handler saw it, recorded before anything is written. */
struct pmi_record {
    u64 status; /* IA32_PERF_GLOBAL_STATUS, 0 below version 2 */
    u32 lvtpc;
    u64 global_ctrl;
    u64 rip; /* interrupted */
    u64 tsc;
    bool in_service; /* ISR bit of the vector (fixed delivery) */
    u64 pebs_index;  /* where the calling CPU's next sample will be stored; 0 without a buffer */
};

#define PMI_RECORDS 64

/* The handler's actions after recording, in any combination; the default is PMI_ACK. */
enum pmi_action {
    PMI_CLEAR_STATUS = 1, /* write the bits of STATUS to STATUS_RESET, but for caused_kept() */
    PMI_UNMASK = 2,       /* clear LVTPC's mask bit */
    PMI_STOP = 4,         /* first GLOBAL_CTRL = 0 and PEBS off; NetBurst: the sampling counter's CCCR disabled */
    PMI_ACK = PMI_STOP | PMI_CLEAR_STATUS | PMI_UNMASK,
};

/* PMIs of the calling CPU since pmi_open(). */
struct pmi_log {
    volatile u32 count;
    struct pmi_record record[PMI_RECORDS]; /* the first PMI_RECORDS */
};

/*
 * Installs the two handlers and masks the calling CPU's LVTPC, so that an overflow cannot reach a vector or an SMI
 * handler of the firmware. pmu_begin() calls it on each CPU.
 */
void pmi_init(void);
/*
 * Sets LVTPC for delivery, unmasked, empties the log and sets the handler's action. With fixed delivery a PMI is taken
 * only while interrupts are on, which the caller controls.
 */
void pmi_open(enum pmi_delivery delivery, unsigned action);
/*
 * Has `hook` called on the calling CPU at the end of each PMI's handling (before EOI), for tests that need more. NULL:
 * none. pmi_close() removes it.
 */
void pmi_hook(void (*hook)(struct pmi_record *record));
struct pmi_log *pmi_log(void);
/* True between pmi_open() and pmi_close(); *lvtpc is then what LVTPC should hold besides its mask and status bits. */
bool pmi_programmed(u32 *lvtpc);
/*
 * Waits until at least n PMIs came, at most 20 ms; returns whether they did. After some waits in vain only 1 ms, until
 * pmi_patient(): a test may wait hundreds of times for a counter that is dead.
 */
bool pmi_wait(u32 n);
void pmi_patient(void);
/* The settle time of the judging protocol: a PMI that was on its way when the counters stopped arrives within it. */
void pmi_settle(void);
/*
 * Waits the settle time of the judging protocol, masks LVTPC, takes any pending PMI (recorded as if the log were open),
 * and restores LVTPC as pmi_open() found it, but masked. Counters must have been stopped.
 */
void pmi_close(void);
/*
 * Call it before CTR_FRZ or LBR_FRZ is cleared: unmasks LVTPC on CPUs with these bits. If they are cleared while it is
 * masked, Skylake is reported to freeze once more; drivers keep this order on all CPUs of version 4 and later.
 */
void pmi_unmask_first(const struct pmu_caps *caps);
/* More PMIs than this after one pmi_open() are a storm: the handler masks LVTPC and stops all counters. */
#define PMI_STORM 10000

/* PMIs of a CPU since the start that no test asked for. */
struct pmi_unasked {
    u32 strays;        /* PMIs while no log was open */
    u32 storms;        /* storms that were stopped */
    u32 empty_seconds; /* legal ones: a PMI without an overflow, after another one in the same log */
    u8 vector;         /* of the last stray or storm: VECTOR_PMI or VECTOR_NMI */
    u64 status;        /* IA32_PERF_GLOBAL_STATUS at the last stray, 0 below version 2 */
};
/* For any CPU; one other than the calling CPU must be idle. */
struct pmi_unasked pmi_unasked(u32 cpu);
/* Takes a PMI that is still requested on the calling CPU although no log is open: a stray. */
void pmi_take_stray(void);
