/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programming PEBS on NetBurst: the right column of the table "Requirements to Program PEBS" (SDM 3B, "Processor Event
 * Based Sampling (PEBS)"), one function per row, in the table's order. SDM 3B, "Performance Monitoring (Processors
 * Based on Intel NetBurst Microarchitecture)". All act on the calling CPU.
 *
 * The counters are the core's: both threads share them. MSR_IQ_COUNTER4 samples for the first thread, MSR_IQ_COUNTER5
 * for the second.
 */
#pragma once

#include "pmu/area/ds.h"
#include "pmu/workload/workload.h"

/* An event that can be sampled: how its uops are tagged, and how the tagged uops that retire are counted. */
struct netburst_event {
    const char *name;
    u8 event;    /* ESCR event of MSR_CRU_ESCR2, or 3 for the second thread */
    u16 mask;    /* its event mask */
    u32 tagger;  /* the ESCR that tags uops, MSR_RAT_ESCR0 or MSR_FIRM_ESCR0 (second thread: the next); 0: none */
    u8 upstream; /* the tagger's event */
    u16 upstream_mask, tag; /* the tagger's event mask; for execution tagging its enable bit and value */
    u32 enable;             /* replay metrics of MSR_PEBS_ENABLE */
    u32 matrix;             /* MSR_PEBS_MATRIX_VERT */
};
extern const struct netburst_event netburst_events[];
extern const unsigned netburst_event_count;
/* The events of execution_event: kinds of arithmetic. */
extern const struct netburst_event netburst_executions[];
extern const unsigned netburst_execution_count;

#define NETBURST_IQ_SECOND 0x2cu /* bit n: MSR_IQ_COUNTERn goes with the second of each two ESCRs */

struct netburst_setup {
    const struct pmu_caps *caps;
    const struct netburst_event *event;
    bool os, user;
    bool of_other;  /* counts the core's other thread instead of the calling one */
    unsigned other; /* 1 + the number of another MSR_IQ_COUNTER, which must not sample for this thread; 0: its own */
    bool force;     /* CCCR.FORCE_OVF */
    u64 period;
    bool pebs;              /* false: plain counting, switched by the ESCR so that the CCCR keeps its OVF flag */
    bool pmi, pmi_of_other; /* CCCR.OVF_PMI for this thread, for the other one */
    bool matrix_last;       /* MSR_PEBS_MATRIX_VERT after MSR_PEBS_ENABLE, as the manual names them, not before it */
    unsigned which;         /* number of the DS area */
    u32 records, threshold; /* up to the absolute maximum, 0: as many as fit; up to the PMI, 0: no PMI */
    /* filled in by the steps */
    unsigned thread, iq, set; /* the calling CPU's thread; its MSR_IQ_COUNTER; which of each two ESCRs goes with that */
    struct ds_area area;
    u32 size;
    struct switch_write start_stop; /* the CCCR, with and without its enable bit; or the ESCR, and 0 */
};

/* All rows from "Counters must be stopped" to "Configure/Enable PEBS". False if there is no memory. */
bool netburst_begin(struct netburst_setup *setup);
/* Disables the CCCR, clears MSR_PEBS_ENABLE, and waits `quiet_us` for residual records. */
void netburst_end(const struct netburst_setup *setup, u64 quiet_us);
/*
 * Writes a stopped counter; false if that faults. It writes twice, because an access lets the counter's input in, which
 * may carry into the upper half (N15, O8). These errata recommend a null event against that; drivers found that it does
 * not help, but that the second write does.
 */
bool netburst_put_counter(u32 msr, u64 value);
/* Is it the counter with which the calling thread can sample? */
bool netburst_own(const struct netburst_setup *setup);
/* The MSRs of the counter and its CCCR. */
u32 netburst_counter(const struct netburst_setup *setup);
u32 netburst_cccr(const struct netburst_setup *setup);
/* Stops and clears the calling thread's sampling counter, and PEBS. Does nothing on CPUs other than NetBurst. */
void netburst_stop(const struct pmu_caps *caps);

/* Stops and clears the counter of the set-up, whichever thread it belongs to. */
void netburst_clear(const struct netburst_setup *setup);

/* Like pebs_written() and pebs_next(). */
u64 netburst_written(const struct netburst_setup *setup);
bool netburst_next(const struct netburst_setup *setup, u64 *offset, struct pebs_record *record);
