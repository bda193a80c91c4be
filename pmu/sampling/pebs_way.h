/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The difference between the two ways to sample: by debug store (IA32_DS_AREA, IA32_PEBS_ENABLE) and architectural
 * (IA32_PEBS_BASE, CFG_C of each counter). Each supplies some steps of the same procedure; counters, events and values
 * are programmed in the same way. Only for pmu/sampling: tests set up sampling by pebs_setup.h.
 */
#pragma once

#include "pmu/sampling/pebs_setup.h"

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
