/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Blocks of known branches, for branch records. Each executes WRMSR(sw->msr, sw->on), its branches and WRMSR(sw->msr,
 * sw->off); it asks the write gate about both beforehand. Tables hold the branches taken between the two.
 */
#pragma once

#include "pmu/gate/counted.h"

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
