/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Branch records of blocks with known branches. All act on the calling CPU; between recording_begin() and
 * recording_end() a test may change IA32_DEBUGCTL and MSR_LBR_SELECT, which are restored. Records and their top belong
 * to nobody: branches of firmware and of every handler overwrite them.
 */
#pragma once

#include "harness/test.h"
#include "pmu/sampling/sampled.h"
#include "pmu/workload/workload.h"

/* Skips the test unless the CPU has branch records of a known kind. */
void need_branch_records(struct test *t);
/* The same, and also requires filters; writable records; a readable top, MSR_LBR_TOS. */
void need_record_filters(struct test *t);
void need_writable_records(struct test *t);
void need_record_top(struct test *t);

/* The register that checks name for the records: MSR_LBR_TOS, or for architectural records their control. */
u32 lbr_register(const struct lbr_stack *stack);

struct recording {
    struct lbr_stack stack;
    u64 debugctl, select, depth;        /* values found; for architectural records their control and depth */
    u64 before;                         /* MSR_LBR_TOS before the last block */
    const struct ladder_branch *ladder; /* the branches of the last ladder */
    bool user;                          /* the ladder ran at CPL 3 */
};
/* Is there room for the ladder and the transition, and a filter that hides the kernel? If not, none are taken at CPL
 * 3. */
bool records_of_user(const struct recording *r);
struct recording recording_begin(struct test *t);
void recording_end(struct test *t, const struct recording *r);

/*
 * Runs the ladder, or the tree of calls, with this filter and with recording on inside it. If the test's cell is at CPL
 * 3, the ladder runs there, and branches that end at CPL 0 are filtered out; the transition to CPL 3 may leave a
 * record.
 */
void record_ladder(struct test *t, struct recording *r, u64 select);
/* The same for all branches, without clearing earlier records: record_ladder() clears architectural ones. */
void record_more(struct test *t, struct recording *r);
/* The same for this block, or for that path of pmu/workload/workload.h, with all branches. */
void record_block(struct test *t, struct recording *r, const struct workload *block, u64 k);
void record_path(struct test *t, struct recording *r, u64 way);
void record_tree(struct test *t, struct recording *r, u64 select);
/* The same for all branches in the upper half of the addresses; and what the record of `age` must then hold. */
void record_high(struct test *t, struct recording *r);
struct branch_record high_record(u32 age);
/* Runs the ladder with this filter, and with recording off. */
void run_ladder_off(struct test *t, struct recording *r, u64 select);
/* Turns recording on for all branches at CPL 0, with these bits of IA32_DEBUGCTL added; and off again. */
void recording_on(struct test *t, const struct recording *r, u64 debugctl);
void recording_off(struct test *t, const struct recording *r);
/* Runs the ladder without changing what is recorded, and turns recording off after it. */
void run_ladder_on(struct test *t, const struct recording *r);
/* How many records have a target that a branch of the ladder has? */
u32 of_ladder(const struct recording *r);
/* The number of records that the ladder leaves. */
u32 ladder_records(const struct recording *r);
/* The number of records that the last block added, at most all but one; or all, if the ladder's records fill all. */
u32 recorded(struct test *t, const struct recording *r);

/* Does the record of `age` hold this branch? Compares the address bits only: on some CPUs the others are flags. */
bool from_matches(const struct recording *r, u32 age, const struct ladder_branch *branch);
bool to_matches(const struct recording *r, u32 age, const struct ladder_branch *branch);
/* Are the newest records those of the ladder's branches that `select` lets through? Compares their targets. */
bool ladder_matches(struct test *t, const struct recording *r, u64 select);
