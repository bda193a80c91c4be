/*
 * Branch records of blocks whose branches are known. All act on the calling CPU; what a test does between
 * recording_begin() and recording_end() leaves IA32_DEBUGCTL and MSR_LBR_SELECT as they were. Records and their top are
 * nobody's: firmware and every handler's branches go over them.
 */
#pragma once

#include "harness/test.h"
#include "pmu/cpu/lbr.h"
#include "pmu/workload/ladder.h"
#include "pmu/workload/workload.h"

/* Skips the test unless the CPU has branch records that are known. */
void need_branch_records(struct test *t);
/* Likewise, and that they have filters; that they can be written; that the CPU tells their top: MSR_LBR_TOS. */
void need_record_filters(struct test *t);
void need_writable_records(struct test *t);
void need_record_top(struct test *t);

/* The register by which checks name the records: their top, or of architectural ones their control. */
u32 lbr_register(const struct lbr_stack *stack);

struct recording {
    struct lbr_stack stack;
    u64 debugctl, select, depth;        /* as found; of architectural records their control and depth */
    u64 before;                         /* MSR_LBR_TOS before the last block */
    const struct ladder_branch *ladder; /* the branches of the last ladder */
    bool user;                          /* they were at CPL 3 */
};
/* Have the records room for the ladder and the way there, and filters that hide the kernel? Else none are of CPL 3. */
bool records_of_user(const struct recording *r);
struct recording recording_begin(struct test *t);
void recording_end(struct test *t, const struct recording *r);

/*
 * Runs the ladder, or the tree of calls, with this filter, and with recording on in it. Where the test's cell is at CPL
 * 3 so is the ladder, and what ends at CPL 0 is filtered out; the way there may leave a record.
 */
void record_ladder(struct test *t, struct recording *r, u64 select);
/* Likewise, of all branches, and leaves the records that there are: record_ladder() clears architectural ones. */
void record_more(struct test *t, struct recording *r);
/* Likewise this block, or that way of pmu/workload/path.h, of all branches. */
void record_block(struct test *t, struct recording *r, const struct workload *block, u64 k);
void record_path(struct test *t, struct recording *r, u64 way);
void record_tree(struct test *t, struct recording *r, u64 select);
/* Likewise branches in the upper half of the addresses, all of them, and what the record of `age` is then about. */
void record_high(struct test *t, struct recording *r);
struct branch_record high_record(u32 age);
/* Runs the ladder with this filter, and with recording off. */
void run_ladder_off(struct test *t, struct recording *r, u64 select);
/* Turns recording on, of all branches at CPL 0, with these bits of IA32_DEBUGCTL besides, and off again. */
void recording_on(struct test *t, const struct recording *r, u64 debugctl);
void recording_off(struct test *t, const struct recording *r);
/* Runs the ladder without changing what is recorded, and turns recording off behind it. */
void run_ladder_on(struct test *t, const struct recording *r);
/* How many records went where a branch of the ladder goes? */
u32 of_ladder(const struct recording *r);
/* How many records the ladder leaves. */
u32 ladder_records(const struct recording *r);
/* How many records the last block has added, at most all but one; if those of the ladder take all, all. */
u32 recorded(struct test *t, const struct recording *r);

/* Is the record of `age` about this branch? Its address bits are compared; flags are in the others on some CPUs. */
bool from_matches(const struct recording *r, u32 age, const struct ladder_branch *branch);
bool to_matches(const struct recording *r, u32 age, const struct ladder_branch *branch);
/* Are the newest records those of the ladder's branches that `select` lets through? By where they went. */
bool ladder_matches(struct test *t, const struct recording *r, u64 select);
