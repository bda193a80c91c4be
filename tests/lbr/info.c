/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * MSR_LBR_INFO_n says for each record how many core clocks have passed since the previous one (saturating), whether its
 * branch was mispredicted, and whether it was taken in a transaction. On CPUs that enumerate RTM the transaction bits
 * have to be 0 outside of transactions; on others nothing is promised about them.
 *
 * Between two branches of a block there are 516 instructions: a CPU that retired 16 per clock would need 32 clocks.
 * Measured are the numbers of mispredicted branches, of valid cycle counts (architectural records have a bit for that),
 * and of records with reserved bits set.
 */
#include "harness/chapter/branches.h"

#define K 8
#define NEWEST_LONG 3   /* the newer records are those of the block's end */
#define LONG_RECORDS 4  /* of K */
#define LEAST_CYCLES 32 /* for 516 instructions */
#define FLAGS (LBR_INFO_MISPREDICTED | LBR_INFO_IN_TX | LBR_INFO_ABORT | LBR_INFO_CYCLES)
#define ARCHITECTURAL (LBR_INFO_TYPE | LBR_INFO_COUNTS | LBR_INFO_CYCLES_VALID)

static void prepare(struct test *t)
{
    struct lbr_stack stack;
    need_branch_records(t);
    if (lbr_stack(t->caps, &stack) && !stack.info)
        skip(t, "IA32_PERF_CAPABILITIES=0x%lx: branch records have no MSR_LBR_INFO", t->caps->perf_capabilities);
}

static void check_flags(struct test *t, const struct recording *r)
{
    u64 defined = FLAGS | (r->stack.architectural ? ARCHITECTURAL : 0);
    u32 transactions = 0, mispredicted = 0, reserved = 0;
    for (u32 age = 0; age < LADDER_BRANCHES; age++) {
        u64 info = lbr_record(&r->stack, age).info;
        transactions += (info & (LBR_INFO_IN_TX | LBR_INFO_ABORT)) != 0;
        mispredicted += (info & LBR_INFO_MISPREDICTED) != 0;
        reserved += (info & ~defined) != 0;
    }
    if (t->caps->rtm)
        check_equal(t, "in-transaction", transactions, 0, r->stack.infos);
    measure(t, "mispredicted", "records", mispredicted);
    measure(t, "reserved-bits", "records", reserved);
}

static bool shows_info(const struct recording *r, u64 info)
{
    return !r->stack.architectural || (info & LBR_INFO_CYCLES_VALID);
}

static void check_cycle_counts(struct test *t, const struct recording *r)
{
    u32 short_ones = 0, valid = 0;
    for (u32 age = NEWEST_LONG; age < NEWEST_LONG + LONG_RECORDS; age++) {
        u64 info = lbr_record(&r->stack, age).info;
        valid += shows_info(r, info);
        short_ones += shows_info(r, info) && (info & LBR_INFO_CYCLES) < LEAST_CYCLES;
        measure(t, "cycles", "cycles", info & LBR_INFO_CYCLES);
    }
    check_equal(t, "too-few-cycles", short_ones, 0, r->stack.infos);
    measure(t, "cycles-valid", "records", valid);
}

static bool info(struct test *t)
{
    struct recording r = recording_begin(t);
    record_ladder(t, &r, 0);
    check_flags(t, &r);
    record_block(t, &r, workload("straight"), K);
    check_cycle_counts(t, &r);
    recording_end(t, &r);
    return more_samples(t);
}

TEST("lbr.info", .title = "Branch records have cycle counts, and no transaction flag outside of transactions",
     .spec = "SDM 3B, Last Branch Records", .covers = "B-094,B-095", .needs = {.version = 2}, .scope = EACH_CORE,
     .prepare = prepare, .repeat = info, .measures = true);
