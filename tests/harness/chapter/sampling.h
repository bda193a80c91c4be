/* Event-based sampling as many tests need it: one set-up, one counted block, its records; on the calling CPU. */
#pragma once

#include "harness/provoke.h"
#include "pmu/sampling/pebs_setup.h"
#include "pmu/sampling/sampled.h"

/*
 * Periods: multiples of 64, and long enough for what errata say of short ones (BDM55, BJ103). Of branches and loads
 * there are fewer.
 */
#define SAMPLE_INSTRUCTIONS 1024
#define SAMPLE_OTHERS 128

struct sampling {
    struct pebs_setup setup;
    struct sampled block; /* use_xmm and then_clear may be set before a run */
    bool user;            /* the block runs at CPL 3, and counters count there */
    u64 before, after;    /* TSC around the block */
};

/*
 * Which event by which counter: pair `turn` of all that the CPU can sample at any time (enum pebs_care), but for loads
 * by latency; turns go round. Returns how many pairs there are.
 */
struct sampling_pair {
    struct pebs_event event;
    struct counter counter;
};
unsigned sampling_pair(const struct test *t, u32 turn, struct sampling_pair *pair);
/* The first counter for an event of this kind, whatever care that takes; the test is skipped if there is none. */
struct sampling_pair sampling_need(struct test *t, enum pebs_kind kind);
/* The first counter for the event of tests that are not about an event; the test is skipped if there is none. */
struct sampling_pair sampling_basic(struct test *t);
/*
 * Counter `which` of those with constant distances between records, fixed ones first, and the event for it, whatever
 * care that takes; false: there are not so many.
 */
bool sampling_precise(const struct test *t, unsigned which, struct sampling_pair *pair);
/* That one if it samples at any time, or else the basic one; the test is skipped if there is neither. */
struct sampling_pair sampling_best(struct test *t);
/* A GP counter that counts beside the pair's; skips where there is none. */
struct counter sampling_beside(struct test *t, const struct sampling_pair *pair);

/* Adds a counter to the set-up, at CPL 0, with the usual period. Returns it, to be changed. */
struct pebs_counter *sampling_add(struct sampling *s, const struct sampling_pair *pair);
/*
 * A period of about so many instructions of the block, in the pair's events: a multiple of 64 if `instructions` is one,
 * and at least 64.
 */
u64 sampling_period(const struct sampling_pair *pair, u64 instructions);
/* How many of the pair's events one round of the block gives. */
u64 sampling_a_round(const struct sampling_pair *pair);
/* An empty set-up. */
void sampling_clear(const struct test *t, struct sampling *s);
/*
 * A set-up of one counter, for tests that are not about each pair: some of them turn by turn, others on each CPU.
 * Returns how many are some, times the test's cells.
 */
unsigned sampling_some(const struct test *t, struct sampling *s);
/* Asks for all registers in adaptive records; the older ones hold them anyway. */
void sampling_registers(struct sampling *s);

/*
 * A group of records, as MSR_PEBS_DATA_CFG and as CFG_C have it: asked for by the first counter of the set-up, and
 * needed, or the test is skipped.
 */
void sampling_group(struct test *t, struct sampling *s, u64 data_cfg, u64 groups);
void need_group(struct test *t, u64 groups);
/* The register that says what groups the records of the first counter have. */
u32 sampling_config(const struct sampling *s);

/*
 * Runs the block so long that the first counter of the set-up gives `records` records, the last of them half a period
 * before the end; then stops and waits. No memory: the test is an error.
 */
void sample(struct test *t, struct sampling *s, u32 records);
/* The parts of it: prepares; runs the block that often round; stops and waits. */
void sampling_begin(struct test *t, struct sampling *s);
u64 sampling_rounds(const struct sampling *s, u32 records);
void sampling_run(struct sampling *s, u64 rounds);
void sampling_end(struct sampling *s);

/* All records that were written. */
#define for_each_record(s, record)                                                     \
    for (u64 offset_##record = 0, more_##record = 1; more_##record; more_##record = 0) \
        for (struct pebs_record record; pebs_next(&(s)->setup, &offset_##record, &record);)

/* How many records there are; *end: where walking them by their own sizes ended, in bytes. */
u32 sampling_count(const struct sampling *s, u64 *end);
/* Bytes between the base and the index that are of no record: architectural pieces that hold nothing. */
u64 sampling_padding(const struct sampling *s);

/* The first register whose value in a record of the loop is not the program's; PEBS_REGISTERS if none is wrong. */
unsigned sampling_wrong_register(const struct sampling *s, const struct pebs_record *r);

/* There are records, from the first counter of the set-up. Label "no-record". */
bool check_recorded(struct test *t, const struct sampling *s);
/* Walking the records by their own sizes ends at the index; returns how many there are. Label "not-whole-records". */
u32 check_whole(struct test *t, const struct sampling *s);

/*
 * What a repeated body returns: is another repeat wanted after this one? Sampling is slow on the reference PMU: each of
 * `kinds` gets its turn, three at least, and then time decides.
 */
bool sampling_more(const struct test *t, u32 kinds);
/* Skips the test unless dangerous=pebs unlocks it, or the PMU is the reference PMU, which cannot be hurt. */
void need_unlocked(struct test *t);
