/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programming PEBS: the left column of the table "Requirements to Program PEBS" (SDM 3B, "Processor Event Based
 * Sampling (PEBS)"), one function per row, in the table's order. All act on the calling CPU, which must have PEBS
 * (pebs_unavailable() is the first row). The last row starts the counters: a counted block makes that write with
 * start_stop.
 */
#pragma once

#include "pmu/area/ds.h"
#include "pmu/cpu/counters.h"
#include "pmu/cpu/pebs.h"
#include "pmu/workload/workload.h"

struct pebs_counter {
    struct counter counter;
    u16 event;      /* umask:event; 0: a fixed counter's own event */
    unsigned flags; /* COUNT_OS, COUNT_USR; COUNT_INT only in a test that breaks the rule on purpose */
    u64 period;     /* events from record to record */
    u64 first;      /* events up to the first record; 0: as `period` */
    u64 qualifiers; /* other bits of the event select, only in a test that breaks the rule on purpose */
    bool adaptive;  /* its records have the groups of data_cfg */
    u64 groups;     /* architectural PEBS: the bits of CFG_C above the reload value */
};
#define PEBS_COUNTERS_MAX 8

struct pebs_setup {
    const struct pmu_caps *caps;
    struct pebs_counter counter[PEBS_COUNTERS_MAX];
    unsigned counters;
    u64 data_cfg;   /* MSR_PEBS_DATA_CFG: groups for the adaptive counters */
    u64 latency;    /* MSR_PEBS_LD_LAT_THRESHOLD; 0: not written */
    unsigned which; /* number of the DS area, below DS_AREAS */
    u32 place;      /* debug store: bytes from the start of the area's page to the management area, as base */
    u32 base;       /* debug store: bytes from the start of the area's buffer to the base, a multiple of 8 */
    bool one_page;  /* architectural PEBS: the smallest buffer, which is soon full */
    u32 records;    /* records up to the absolute maximum; 0: as many as fit */
    u32 threshold;  /* records up to the PMI; 0: no PMI */
    /* filled in by the steps */
    struct ds_area area;
    u32 size;          /* bytes of a record; adaptive: of the largest record of these counters */
    u64 latency_found; /* previous MSR_PEBS_LD_LAT_THRESHOLD */
    struct switch_write start_stop;
};

/* A row of the table. It does nothing if there is nothing to do. */
struct pebs_step {
    const char *name;
    bool (*take)(struct pebs_setup *setup); /* false: not possible here */
};
/* From "Ensure counters are in disabled" to "Configure/Enable PEBS". */
#define PEBS_STEPS 9
extern const struct pebs_step pebs_steps[PEBS_STEPS];

/* Sets up sampling by all steps. False if one is not possible: then nothing is enabled. Counters stay stopped. */
bool pebs_begin(struct pebs_setup *setup);
/* Like pebs_begin(), without the step of this name. */
bool pebs_begin_without(struct pebs_setup *setup, const char *left_out);
/* Like pebs_begin(), but with the step `moved` last: before counters are started the order should not matter. */
bool pebs_begin_moved(struct pebs_setup *setup, const char *moved);
/*
 * Only the buffer and the enables: controls and values of these counters are the caller's, which must see that none
 * overflows. Counters must be stopped. False if there is no memory: then nothing is enabled.
 */
bool pebs_stand_by(struct pebs_setup *setup);
/*
 * Stops: IA32_PERF_GLOBAL_CTRL 0, then IA32_PEBS_ENABLE 0, then waits `quiet_us` for residual records to complete. SDM
 * 3B, "Re-configuring PEBS Facilities". IA32_DS_AREA stays set: ds_area_release() clears it.
 */
void pebs_stop(const struct pebs_setup *setup, u64 quiet_us);
#define PEBS_QUIET_US 1000 /* the wait in tests that do not test the wait itself */
/* Stops the counters, and ends sampling by the first one of the set-up alone: the others stay enabled. */
void pebs_leave_first(const struct pebs_setup *setup);

/* Turns PEBS on again after pebs_stop(), with everything else unchanged; a block starts the counters. */
void pebs_resume(struct pebs_setup *setup);
/* Turns PEBS on again and starts the counters, as at the end of a PMI handler that has stopped them. */
void pebs_go_on(struct pebs_setup *setup);
/* Makes the next record go to the start of the buffer again; counters must be stopped. */
void pebs_rewind(const struct pebs_setup *setup);

/* ---- What was written. */

/* Bytes between base and index, and between base and the absolute maximum. */
u64 pebs_written(const struct pebs_setup *setup);
/* Bytes from the base on that records may touch: up to the maximum, plus one record if one may begin there. */
u64 pebs_bound(const struct pebs_setup *setup);
/*
 * Decodes the record at *offset (from 0 on) and moves *offset past it. False at the index, even if padding precedes it,
 * or if the bytes are no record that ends before the index: *offset then differs from the index.
 */
bool pebs_next(const struct pebs_setup *setup, u64 *offset, struct pebs_record *record);

/*
 * The difference between the two ways to sample: by debug store (IA32_DS_AREA, IA32_PEBS_ENABLE) and architectural
 * (IA32_PEBS_BASE, CFG_C of each counter). Each supplies some steps of the same procedure; counters, events and values
 * are programmed in the same way. Only for pmu/sampling: tests set up sampling by pebs_setup.h.
 */

struct pebs_way {
    void (*disable)(const struct pebs_setup *setup); /* for all counters of the CPU */
    void (*leave)(u64 counters);                     /* for these, as bits of IA32_PERF_GLOBAL_CTRL */
    bool (*allocate)(struct pebs_setup *setup);      /* false: no memory, or no room for that many records */
    void (*point)(const struct pebs_setup *setup);   /* the register that names the buffer */
    bool (*manage)(const struct pebs_setup *setup);  /* index, threshold, reset values; false: no place for these */
    void (*enable)(const struct pebs_setup *setup);
    void (*rewind)(const struct pebs_setup *setup); /* the next record goes to the start of the buffer */
    u64 (*written)(const struct pebs_setup *setup); /* in bytes; beyond all bounds if the hardware says so */
};
extern const struct pebs_way pebs_by_debug_store, pebs_architectural;

#define for_each_sampler(setup, c) \
    for (const struct pebs_counter *c = (setup)->counter; c < (setup)->counter + (setup)->counters; c++)
