/*
 * A counted block for sampling (pmu/workload/sampled.asm): while its loop runs all registers but one hold values that
 * are known, and that one tells how many instructions have retired. At CPL 0, or its loop at CPL 3.
 */
#pragma once

#include "pmu/area/pebs_record.h"
#include "pmu/workload/workload.h"

#define SAMPLED_INSTRUCTIONS 64 /* each round of the loop */
#define SAMPLED_BRANCHES 8
#define SAMPLED_LOADS 9
#define SAMPLED_STORES 1
#define SAMPLED_CLOCK PEBS_R10 /* this register counts the instructions, in steps of 8 */

/* Read and written by the block: the order is known there. */
struct sampled {
    u64 rounds; /* at least 1 */
    u64 reg[PEBS_REGISTERS];
    u64 xmm[PEBS_XMM_REGISTERS][2];
    u64 use_xmm;    /* 1: the XMM registers hold xmm[] */
    u64 then_clear; /* a register to be cleared right after the counters were started; 0: none */
    u64 word;       /* what the loop loads */
};
_Static_assert(offsetof(struct sampled, reg) == 8 && offsetof(struct sampled, xmm) == 136 &&
                   offsetof(struct sampled, use_xmm) == 392 && offsetof(struct sampled, then_clear) == 400,
               "pmu/workload/sampled.asm");

/* Fills in what each register shall hold: something else each time, so that no record can pass with what was there
 * before. */
void sampled_prepare(struct sampled *sampled, u64 rounds);
/* Starts the counters, goes `rounds` times round the loop, stops them. sampled->reg tells what the registers held. */
void sampled_run(const struct switch_write *sw, struct sampled *sampled);
/* As sampled_run(), with the loop at CPL 3: without XMM registers, and without a register to be cleared. */
void sampled_run_user(const struct switch_write *sw, struct sampled *sampled);
/*
 * How many instructions of the loop had retired when SAMPLED_CLOCK held `clock`: for addresses in the loop. `next`:
 * `rip` is that of the next instruction, as in the older records; else of the last one that retired.
 */
u64 sampled_instruction(u64 rip, u64 clock, bool next);
/* Is this address of the block, where counters are on; of the loop, where the registers hold their values? */
bool sampled_holds(u64 rip);
bool sampled_in_loop(u64 rip);
