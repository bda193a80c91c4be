/* Sampling on NetBurst as its tests need it. All act on the calling CPU, whose core must not be used by another. */
#pragma once

#include "harness/chapter/sampling.h"
#include "pmu/count/netburst.h"

#define NETBURST_PERIOD 32
#define NETBURST_ROUNDS 64 /* of the sampled loop: 576 loads, 64 stores */

/* An event by turn, at CPL 0, with the usual period. */
struct netburst_setup netburst_setup_of(const struct test *t, u32 turn);
/* Prepares, runs the block that often round, stops, waits. No memory: the test is an error. */
void netburst_sample(struct test *t, struct netburst_setup *setup, struct sampled *block, u64 rounds);
/*
 * How often a counter is made to wrap before it is held against the CPU that OVF does not tell: once in a while it does
 * not, which is why drivers look at the counter as well.
 */
#define NETBURST_WRAPS 8
/* Has the counter, of 40 bits, passed its end? It stands in their upper half before. */
bool netburst_wrapped(struct test *t, const struct netburst_setup *setup);
/* How many records there are; *end: where walking them ended, in bytes. */
u32 netburst_count(const struct netburst_setup *setup, u64 *end);
/*
 * ALL_TOGETHER: which of its core's two threads this is, if both take part; `cpu` is the first of them. Its CPUs meet.
 */
struct netburst_pair {
    u32 cpu;
    bool first, second;
};
struct netburst_pair netburst_find_pair(struct test *t);
/* Ends the test on a CPU that is no part of a pair; after the last barrier. */
void netburst_skip_alone(struct test *t, const struct netburst_pair *pair);
/* Records are whole, and nothing is written past the index: what is judged on NetBurst. */
void netburst_check_bounds(struct test *t, const struct netburst_setup *setup);
