/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counted blocks: self-contained NASM code that starts the counters, works, and stops them. Each declares how many
 * instructions and branches its work retires as a function of k; the build recounts them from the listing. The declared
 * counts do not include the start and stop WRMSRs: judge differences between two k.
 */
#pragma once

#include "boot/bits.h"
#include "pmu/gate/counted.h"

struct workload {
    const char *name;
    /* Runs the block at CPL 0: WRMSR(sw->msr, sw->on), work of k iterations, WRMSR(sw->msr, sw->off). */
    void (*run)(const struct switch_write *sw, u64 k);
    /* Runs the work at CPL 3 between the two WRMSRs at CPL 0 (ring transitions count too: judge differences). */
    void (*run_user)(const struct switch_write *sw, u64 k);
    void (*user)(u64 k);     /* only the work, at CPL 3, for ring3_run() */
    void (*user_work)(void); /* only that work, for assembly at CPL 3 to call: R8 = k; keeps R12 to R15 and RBP */
    u64 instructions_per_k, instructions_fixed;
    u64 branches_per_k, branches_fixed;
    const u8 *start, *end; /* code of the work: an interrupted RIP lies inside [start, end] */
};

/* Makes the two writes around code at CPL 3 that ring3_run() can run, after one run of it with 1 to warm up. */
void counted_user(const struct switch_write *sw, u64 k, void (*work)(u64 k));
/* The same at CPL 1, 2 or 3. */
void counted_at(const struct switch_write *sw, u64 k, void (*work)(u64 k), unsigned cpl);

/* Straight code and taken branches; every row of the table is a different mix. The first is the default for tests. */
extern const struct workload workloads[];
extern const unsigned workload_count;
/* Finds one by name; NULL if there is none. */
const struct workload *workload(const char *name);

u64 workload_instructions(const struct workload *w, u64 k);
u64 workload_branches(const struct workload *w, u64 k);
