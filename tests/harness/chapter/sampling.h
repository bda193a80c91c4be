/* SPDX-License-Identifier: BSD-2-Clause */
/* Event-based sampling for many tests: one set-up, one counted block, its records; on the calling CPU. */
#pragma once

#include "harness/test.h"
#include "pmu/sampling/pebs_setup.h"
#include "pmu/sampling/sampled.h"

/*
 * Periods: multiples of 64, and not so short that errata about short ones matter (BDM55, BJ103). Branches and loads are
 * rarer than instructions.
 */
#define SAMPLE_INSTRUCTIONS 1024
#define SAMPLE_OTHERS 128

struct sampling {
    struct pebs_setup setup;
    struct sampled block; /* use_xmm and then_msr may be set before a run */
    bool user;            /* the block runs at CPL 3, and is counted there */
    u64 others;           /* counters that the test uses beside those of the set-up, as bits of IA32_PERF_GLOBAL_CTRL */
    unsigned own;         /* counters of the set-up that the test has added; others are around it */
    bool alone;           /* nothing else may count or sample meanwhile */
    u64 before, after;    /* TSC around the block */
};

/*
 * An event and a counter for it: pair `turn` of all that the CPU can sample at any time (enum pebs_care), except loads
 * by latency; after the last pair it starts over. Returns the number of pairs.
 */
struct sampling_pair {
    struct pebs_event event;
    struct counter counter;
};
unsigned sampling_pair(const struct test *t, u32 turn, struct sampling_pair *pair);
/*
 * Counter `turn` of all that sample an event at any time, with one of its events: another one each time that the
 * counters start over. Returns the number of counters; 0: none.
 */
unsigned sampling_counter(const struct test *t, u32 turn, struct sampling_pair *pair);
/* How many these counters are, as bits of IA32_PERF_GLOBAL_CTRL; and one of them: each in turn, after the last one the
 * first again. There must be one. */
unsigned sampling_number(u64 counters);
struct counter sampling_in_turn(const struct test *t, u64 counters, u32 turn);
/* The first counter for an event of this kind, whatever care sampling needs; skips the test if there is none. */
struct sampling_pair sampling_need(struct test *t, enum pebs_kind kind);
/* The first counter for the basic event, for tests that work with any event; skips the test if there is none. */
struct sampling_pair sampling_basic(struct test *t);
/*
 * Counter `which` of those with constant distances between records, fixed ones first, and the event for it, whatever
 * care it needs; false if there are fewer.
 */
bool sampling_precise(const struct test *t, unsigned which, struct sampling_pair *pair);
/* The first of these if it samples at any time, otherwise the basic pair; skips the test if there is neither. */
struct sampling_pair sampling_best(struct test *t);
/* A GP counter that counts beside the pair's; skips where there is none. */
struct counter sampling_beside(struct test *t, const struct sampling_pair *pair);

/* Adds a counter to the set-up, at CPL 0, with the usual period. Returns it for changes. */
struct pebs_counter *sampling_add(struct sampling *s, const struct sampling_pair *pair);
/* The number of the pair's events in about so many instructions of the block: a multiple of 64, and at least 64. */
u64 sampling_period(const struct sampling_pair *pair, u64 instructions);
/* The number of the pair's events in one round of the block. */
u64 sampling_a_round(const struct sampling_pair *pair);
/* An empty set-up. */
void sampling_clear(const struct test *t, struct sampling *s);
/*
 * A set-up of one counter, for tests that do not need every pair: a few pairs in turn, different ones on each CPU.
 * Returns how many turns that makes, all cells included.
 */
unsigned sampling_some(const struct test *t, struct sampling *s);
/* Asks for all registers in adaptive records; older records always hold them. */
void sampling_registers(struct sampling *s);

/*
 * A group of records, with its bits in MSR_PEBS_DATA_CFG and in CFG_C, for the first counter of the set-up; skips the
 * test if the CPU has no such group.
 */
void sampling_group(struct test *t, struct sampling *s, u64 data_cfg, u64 groups);
void need_group(struct test *t, u64 groups);
/* The register that selects the groups in the first counter's records. */
u32 sampling_config(const struct sampling *s);

/*
 * Runs the block long enough for `records` records of the set-up's first counter, with the last one half its distance
 * before the end; then stops and waits. Without memory the test is an error.
 */
void sample(struct test *t, struct sampling *s, u32 records);
/* The parts of sample(): prepares; runs the block for that many rounds; stops and waits. */
void sampling_begin(struct test *t, struct sampling *s);
u64 sampling_rounds(const struct sampling *s, u32 records);
void sampling_run(struct sampling *s, u64 rounds);
void sampling_end(struct sampling *s);

/* All records that were written. */
#define for_each_record(s, record)                                                     \
    for (u64 offset_##record = 0, more_##record = 1; more_##record; more_##record = 0) \
        for (struct pebs_record record; pebs_next(&(s)->setup, &offset_##record, &record);)

/* The number of records; *end: the offset at which decoding them by their own sizes ended. */
u32 sampling_count(const struct sampling *s, u64 *end);
/* Bytes between base and index that belong to no record: architectural pieces that hold nothing. */
u64 sampling_padding(const struct sampling *s);

/* The first register in a record that differs from the program's, where it is known (sampled_kept); PEBS_REGISTERS if
 * all are right. */
unsigned sampling_wrong_register(const struct sampling *s, const struct pebs_record *r);

/* Checks that there are records, from the first counter of the set-up. Label "no-record". */
bool check_recorded(struct test *t, const struct sampling *s);
/* Checks that decoding records by their sizes ends at the index; returns their number. Label "not-whole-records". */
u32 check_whole(struct test *t, const struct sampling *s);

/*
 * The return value of a repeated body: does it want another repeat? Sampling is slow on the reference PMU, so each of
 * `kinds` gets a turn, with three turns at least; then the time decides.
 */
bool sampling_more(struct test *t, u32 kinds);
/* Skips the test unless dangerous=pebs unlocks it or the PMU is the reference PMU, which cannot be hurt. */
void need_unlocked(struct test *t);
