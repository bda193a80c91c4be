/*
 * Programming PEBS: the left column of the table "Requirements to Program PEBS" (SDM 3B, "Processor Event Based
 * Sampling (PEBS)"), one function a row, in the table's order. All act on the calling CPU, which must have PEBS
 * (pebs_unavailable() is the first row). The last row starts the counters: a counted block makes that write,
 * start_stop.
 */
#pragma once

#include "pmu/area/ds_area.h"
#include "pmu/area/pebs_record.h"
#include "pmu/cpu/counters.h"
#include "pmu/cpu/pebs.h"
#include "pmu/workload/workload.h"

struct pebs_counter {
    struct counter counter;
    u16 event;      /* umask:event; a fixed counter's own if 0 */
    unsigned flags; /* COUNT_OS, COUNT_USR; COUNT_INT only where a test wants to break the rule */
    u64 period;     /* events from record to record */
    u64 first;      /* events until the first; 0: the same */
    u64 qualifiers; /* other bits of the event select: only where a test wants to break the rule */
    bool adaptive;  /* asks for the groups of data_cfg */
    u64 groups;     /* of architectural PEBS: what CFG_C has above the reload value */
};
#define PEBS_COUNTERS_MAX 8

struct pebs_setup {
    const struct pmu_caps *caps;
    struct pebs_counter counter[PEBS_COUNTERS_MAX];
    unsigned counters;
    u64 data_cfg;   /* MSR_PEBS_DATA_CFG: groups of the adaptive counters */
    u64 latency;    /* MSR_PEBS_LD_LAT_THRESHOLD; 0: left alone */
    unsigned which; /* DS area: below DS_AREAS */
    bool one_page;  /* architectural PEBS: the smallest buffer there is, which is soon full */
    u32 records;    /* up to the absolute maximum; 0: as many as fit */
    u32 threshold;  /* records until the PMI; 0: none */
    /* filled by the steps */
    struct ds_area area;
    u32 size;          /* bytes of a record; adaptive: of the largest that these counters write */
    u64 latency_found; /* MSR_PEBS_LD_LAT_THRESHOLD before */
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

/* Sets up sampling, all steps. False if one was not possible: then nothing is enabled. Counters stand still. */
bool pebs_begin(struct pebs_setup *setup);
/* As pebs_begin(), without the step of this name. */
bool pebs_begin_without(struct pebs_setup *setup, const char *left_out);
/* As pebs_begin(), but the step named `moved` is last: before counters are started the order should not matter. */
bool pebs_begin_moved(struct pebs_setup *setup, const char *moved);
/*
 * Stops: IA32_PERF_GLOBAL_CTRL 0, then IA32_PEBS_ENABLE 0, then `quiet_us` for residual records to complete. SDM 3B,
 * "Re-configuring PEBS Facilities". IA32_DS_AREA stays: ds_area_release() takes it away.
 */
void pebs_stop(const struct pebs_setup *setup, u64 quiet_us);
#define PEBS_QUIET_US 1000 /* what tests wait that are not about the waiting */

/* PEBS on again after pebs_stop(), everything else as it is; counters stand still until a block starts them. */
void pebs_resume(struct pebs_setup *setup);
/* The same, and the counters started, as the handler of a PMI ends that has stopped them. */
void pebs_go_on(struct pebs_setup *setup);
/* The next record goes to the start of the buffer again; counters stand still. */
void pebs_rewind(const struct pebs_setup *setup);

/* ---- What was written. */

/* Bytes between base and index, and between base and the absolute maximum. */
u64 pebs_written(const struct pebs_setup *setup);
/* Bytes from the base on that records may touch: to the maximum, and where one may begin there, a whole one more. */
u64 pebs_bound(const struct pebs_setup *setup);
/*
 * The record at *offset (from 0 on); *offset is moved past it. False at the index, also if only padding comes before
 * it, or where the bytes are no record that ends before it: *offset is then not the index.
 */
bool pebs_next(const struct pebs_setup *setup, u64 *offset, struct pebs_record *record);
