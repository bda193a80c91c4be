/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counted blocks: self-contained NASM code that starts the counters, works, and stops them. Each declares how many
 * instructions and branches its work retires as a function of k; the build recounts them from the listing. The declared
 * counts do not include the start and stop WRMSRs: judge differences between two k.
 */
#pragma once

#include "boot/bits.h"
#include "pmu/gate/gate.h"

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

/* ---- A counted block for NetBurst's execution tagging (pmu/workload/execution.asm). CPL 0. */

/* Starts the counters, runs the loop `rounds` times (at least once), stops them. */
void execution_run(const struct switch_write *sw, u64 rounds);
extern const u8 execution_start[], execution_end[]; /* the code while the counters are on */

/*
 * Blocks of known branches, for branch records. Each executes WRMSR(sw->msr, sw->on), its branches and WRMSR(sw->msr,
 * sw->off); it asks the write gate about both beforehand. Tables hold the branches taken between the two.
 */

struct ladder_branch {
    u64 from, to;
    u64 kind; /* the MSR_LBR_SELECT bit that suppresses it */
};

/* One branch of each kind, and two returns. */
void ladder_run(const struct switch_write *sw);
#define LADDER_BRANCHES 8
extern const struct ladder_branch ladder_branches[LADDER_BRANCHES];

/* The same branches at CPL 3, for counted_user(). */
void ladder_user(u64 unused);
extern const struct ladder_branch ladder_user_branches[LADDER_BRANCHES];

/* A tree of calls in which recording stops; the table holds the calls that are open then, the oldest first. */
void ladder_tree_run(const struct switch_write *sw);
#define LADDER_OPEN_CALLS 2
extern const struct ladder_branch ladder_open_calls[LADDER_OPEN_CALLS];

/*
 * Branches `distance` above the image's own addresses, where the image must be mapped as well. The table has their
 * addresses without that distance: the first branch goes there, the last one comes back.
 */
void ladder_high_run(const struct switch_write *sw, u64 distance);
#define LADDER_HIGH_BRANCHES 4
extern const struct ladder_branch ladder_high_branches[LADDER_HIGH_BRANCHES];

/*
 * A block whose path is given by a number, for a trace. For each bit of the number below its highest set bit, starting
 * at bit 0, a conditional branch is taken or not, and one of two functions is called through a register.
 */

/*
 * Executes WRMSR(sw->msr, sw->on), the path, WRMSR(sw->msr, sw->off); `way` is not 0. If `around` is not NULL, its
 * first write is made before and its second one after that, with one more branch in between. CPL 0.
 */
void path_run(const struct switch_write *sw, u64 way, const struct switch_write *around);
/* The same path at CPL 3, for counted_user(). */
void path_user(u64 way);

/* The addresses of its branches and of their targets. */
struct path_code {
    u64 entry;            /* the first instruction after the WRMSR, or at CPL 3 */
    u64 start;            /* of a turn; one turn per bit */
    u64 leave, left;      /* conditional: taken after the last bit */
    u64 skip, skipped;    /* conditional: taken if the bit is clear */
    u64 call, called;     /* the call through a register, and its return address */
    u64 again;            /* jumps to the start */
    u64 clear, clear_ret; /* the function called if the bit is clear, and its return */
    u64 set, set_ret;     /* the function called if the bit is set, and its return */
};
extern const struct path_code path_code, path_user_code;

struct path_branch {
    u64 from, to;
    bool conditional, taken;
    bool by_value; /* indirect: the code does not show its target */
};
#define PATH_BITS 16 /* most bits below the highest set one */
#define PATH_BRANCHES_PER_BIT 5
#define PATH_BRANCHES (PATH_BRANCHES_PER_BIT * PATH_BITS + 1)
/* Lists all branches of that path that retire, in order; returns their number. Pure. */
u32 path_branches(const struct path_code *code, u64 way, struct path_branch list[PATH_BRANCHES]);
