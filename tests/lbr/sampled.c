/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An adaptive PEBS record with the LBR group holds the newest branch records as of when it was written: a profiler gets
 * them with the sample and need not read registers. The sampled block has been running for long: each entry is a branch
 * of that block, and each branch leads to the next, with only code without a taken branch between the target of one and
 * the origin of the next. On CPUs with more than 16 branch records, records with all of them take turns with records
 * that have 8. As the loop repeats, the first sample is taken while some of them are still older than the loop: the
 * loop's own count tells how many.
 *
 * One entry in a hundred may be from other code, in case an interrupt came in between.
 */
#include "harness/chapter/branches.h"
#include "harness/chapter/sampling.h"

#define RECORDS 3
#define ENTRIES 8
#define LBR_8 BIT(40) /* CFG_C: that many */
#define MANY 16
#define FIRST_ROUNDS 3 /* 24 branches */
#define ONE_IN 100

struct entry {
    u64 from, to, info;
};

static void prepare(struct test *t)
{
    struct lbr_stack stack;
    need_group(t, LBR_8);
    need_branch_records(t);
    if (lbr_stack(t->caps, &stack) && stack.depth <= ENTRIES)
        skip(t, "CPUID.1:EAX=0x%x: fewer branch records than entries", t->caps->signature);
}

static struct entry entry_of(const struct pebs_record *r, u32 n)
{
    struct entry e;
    memcpy(&e, r->lbr + n * PEBS_LBR_BYTES, sizeof(e));
    return e;
}

struct seen {
    u32 entries, outside, not_in_line;
};

/* The branches of the loop before the sample, or one more. */
static u64 branches_of(const struct pebs_record *record)
{
    return record->has & PEBS_HAS_REGISTERS ? record->reg[SAMPLED_CLOCK] / 8 : ~0ull;
}

static void look(struct seen *seen, const struct pebs_record *record)
{
    u64 branches = branches_of(record);
    for (u32 n = 0; n < record->lbr_count; n++) {
        struct entry e = entry_of(record, n);
        seen->entries++;
        if (n + 1 >= branches) {
            seen->not_in_line += n > branches && sampled_in_loop(e.from & MASK(47, 0));
            continue;
        }
        seen->outside += !sampled_holds(e.from & MASK(47, 0)) || !sampled_holds(e.to & MASK(47, 0));
        if (n + 1 < record->lbr_count)
            seen->not_in_line += (e.from & MASK(47, 0)) < (entry_of(record, n + 1).to & MASK(47, 0));
    }
}

/* Asks for 8 entries or for all. */
static void ask(struct test *t, struct sampling *s, const struct sampling_pair *pair)
{
    struct lbr_stack stack;
    bool all = t->turn % 2 && lbr_stack(t->caps, &stack) && stack.depth > MANY;
    sampling_add(s, pair);
    sampling_group(t, s, PEBS_DATA_LBR | PEBS_DATA_LBR_ENTRIES(all ? stack.depth : ENTRIES), all ? CFG_C_LBR : LBR_8);
    if (!all)
        return;
    sampling_registers(s);
    s->setup.counter[0].first = FIRST_ROUNDS * sampling_a_round(pair);
}

static bool sampled(struct test *t)
{
    struct recording r = recording_begin(t);
    struct sampling s;
    struct seen seen = {0};
    struct sampling_pair pair = sampling_basic(t);
    sampling_clear(t, &s);
    ask(t, &s, &pair);
    recording_on(t, &r, 0);
    sample(t, &s, RECORDS);
    recording_off(t, &r);
    for_each_record (&s, record)
        look(&seen, &record);
    check_true(t, "no-entry", seen.entries >= ENTRIES, seen.entries, "the entries of 1 record or more",
               sampling_config(&s));
    check_true(t, "outside-the-code", seen.outside * ONE_IN <= seen.entries, seen.outside, "branches of the code",
               sampling_config(&s));
    check_true(t, "not-in-line", seen.not_in_line * ONE_IN <= seen.entries, seen.not_in_line,
               "each branch after the target of the previous one", sampling_config(&s));
    recording_end(t, &r);
    return sampling_more(t, 1);
}

TEST("lbr.sampled", .title = "PEBS records hold the branches that led to the sample", .spec = "SDM 3B, Adaptive PEBS",
     .covers = "A-121,B-095", .needs = {.version = 2, .sampling = true}, .scope = EACH_CPU, .prepare = prepare,
     .repeat = sampled);
