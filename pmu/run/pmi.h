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
    u64 pebs_index;  /* where the calling CPU's next sample goes, 0 if it has no buffer */
};

#define PMI_RECORDS 64

/* What the handler does after recording. Any combination; the default is PMI_ACK. */
enum pmi_action {
    PMI_CLEAR_STATUS = 1, /* write what STATUS shows to STATUS_RESET */
    PMI_UNMASK = 2,       /* clear LVTPC's mask bit */
    PMI_STOP = 4,         /* GLOBAL_CTRL = 0 first, and PEBS off; NetBurst: the sampling counter's CCCR disabled */
    PMI_ACK = PMI_STOP | PMI_CLEAR_STATUS | PMI_UNMASK,
};

/* PMIs of the calling CPU since pmi_open(). */
struct pmi_log {
    volatile u32 count;
    struct pmi_record record[PMI_RECORDS]; /* the first PMI_RECORDS */
};

/*
 * Installs the two handlers and masks LVTPC of the calling CPU, so that an overflow cannot reach a vector or an SMI
 * handler of firmware's. On each CPU, at the start of each run (pmu_begin() does it).
 */
void pmi_init(void);
/*
 * Sets LVTPC for delivery, unmasked, empties the log and chooses the handler's action. A PMI is taken only while
 * interrupts are on (fixed delivery), which is the caller's affair.
 */
void pmi_open(enum pmi_delivery delivery, unsigned action);
/*
 * Calls `hook` on the calling CPU at the end of each PMI's handling (before EOI): tests that need more. NULL: none.
 * pmi_close() takes it away.
 */
void pmi_hook(void (*hook)(struct pmi_record *record));
struct pmi_log *pmi_log(void);
/* Between pmi_open() and pmi_close(): true, and what LVTPC holds besides its mask and status bits. */
bool pmi_programmed(u32 *lvtpc);
/* Waits until at least n PMIs came, at most 20 ms; returns whether they did. */
bool pmi_wait(u32 n);
/* Settle time of the judging protocol: a PMI that was on its way when the counters stopped has arrived after it. */
void pmi_settle(void);
/*
 * Settle time of the judging protocol, then LVTPC masked, any pending PMI drained (recorded as if the log were open),
 * and LVTPC put back as pmi_open() found it, masked. Counters must have been stopped.
 */
void pmi_close(void);
/*
 * Before CTR_FRZ or LBR_FRZ is cleared: unmasks LVTPC where there are such bits. Cleared while it is masked they are
 * reported to freeze once more on Skylake; drivers keep to this order on all of version 4.
 */
void pmi_unmask_first(const struct pmu_caps *caps);
/* More than this many in one pmi_open() is a storm: the handler masks LVTPC and stops all counters itself. */
#define PMI_STORM 10000

/* PMIs of a CPU since start that no test asked for. */
struct pmi_unasked {
    u32 strays;        /* came while no log was open */
    u32 storms;        /* cut */
    u32 empty_seconds; /* legal ones: a PMI with nothing overflowed after another one in the same log */
    u8 vector;         /* of the last stray or storm: VECTOR_PMI or VECTOR_NMI */
    u64 status;        /* IA32_PERF_GLOBAL_STATUS at the last stray, 0 below version 2 */
};
/* Of any CPU, which must be idle if it is not the calling one. */
struct pmi_unasked pmi_unasked(u32 cpu);
/* Takes a PMI that is still requested on the calling CPU and that no log waits for: a stray. */
void pmi_take_stray(void);
