/* SPDX-License-Identifier: BSD-2-Clause */
/* Sampling on NetBurst for its tests. All act on the calling CPU; no other test may use its core meanwhile. */
#pragma once

#include "harness/chapter/sampling.h"
#include "pmu/count/netburst.h"

#define NETBURST_PERIOD 32
#define NETBURST_ROUNDS 64 /* of the sampled loop: 576 loads, 64 stores */

/* The set-up for one of the events, selected by `turn`, at CPL 0, with the usual period. */
struct netburst_setup netburst_setup_of(const struct test *t, u32 turn);
/* Prepares, runs the block for that many rounds, stops, and waits. Without memory the test is an error. */
void netburst_sample(struct test *t, struct netburst_setup *setup, struct sampled *block, u64 rounds);
/*
 * How many wraps of a counter without OVF count as a failure of the CPU: once in a while OVF does not show a wrap, so
 * drivers check the counter too.
 */
#define NETBURST_WRAPS 8
/* From the first counter of a group on: which ESCR goes with each, and an event that running code causes. */
#define NETBURST_COUNTERS 18
#define NETBURST_GROUPS 4
struct netburst_group {
    u8 first, count, second; /* bit n of `second`: counter n of the group has the second ESCR */
    u8 select;               /* the CCCR's select value */
    u32 escr;                /* the first one */
    u64 event;
};
extern const struct netburst_group netburst_groups[NETBURST_GROUPS];
/* Which of its core's threads is the calling CPU? Leaves its sampling counter clear. */
unsigned netburst_own_thread(struct test *t);
/* One counter of a group, with its CCCR and the ESCR that selects what it counts for `thread` at CPL 0. */
struct netburst_lane {
    u32 counter, cccr;
    u64 control;
    struct switch_write start_stop; /* by the ESCR: a write of the CCCR would clear OVF */
};
struct netburst_lane netburst_lane_of(const struct netburst_group *group, unsigned n, unsigned thread);
/* Runs arithmetic of each kind while the counter counts from `from` on. Its CCCR stays enabled, and its ESCR is 0. */
void netburst_lane_run(struct test *t, const struct netburst_lane *lane, u64 from);
void netburst_lane_clear(struct test *t, const struct netburst_lane *lane);
/* From where a counter wraps after half of so many counts. */
u64 netburst_halfway(u64 counted);
/* Which of all CCCRs have OVF? As bits. */
u64 netburst_flags(struct test *t);
/* Has the 40-bit counter wrapped? Before that it is in the upper half of its range. */
bool netburst_wrapped(struct test *t, const struct netburst_setup *setup);
/* The number of records; *end: the offset at which decoding them ended. */
u32 netburst_count(const struct netburst_setup *setup, u64 *end);
/* ALL_TOGETHER: which of its core's threads this is, if both take part; `cpu` is the first. Has a barrier. */
struct netburst_pair {
    u32 cpu;
    bool first, second;
};
struct netburst_pair netburst_find_pair(struct test *t);
/* Ends the test on a CPU that does not belong to a pair. Call it after the last barrier. */
void netburst_skip_alone(struct test *t, const struct netburst_pair *pair);
/* Checks what is judged on NetBurst: records are complete, and nothing is written past the index. */
void netburst_check_bounds(struct test *t, const struct netburst_setup *setup);
