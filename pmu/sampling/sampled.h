/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counted block for sampling (pmu/workload/sampled.asm): while its loop runs, all registers except one hold known
 * values, and that one counts the retired instructions. The loop runs at CPL 0 or at CPL 3.
 */
#pragma once

#include "pmu/area/ds.h"
#include "pmu/cpu/caps.h"
#include "pmu/cpu/pebs.h"
#include "pmu/workload/workload.h"

#define SAMPLED_INSTRUCTIONS 64 /* in each round of the loop */
#define SAMPLED_BRANCHES 8
#define SAMPLED_LOADS 9
#define SAMPLED_STORES 1
/* What the block's code does not need of RFLAGS: DF and ID. */
#define SAMPLED_FLAGS (BIT(10) | BIT(21))
#define SAMPLED_CLOCK PEBS_R10 /* this register counts the instructions, in steps of 8 */

/* Read and written by the block, which depends on the order of the fields. */
struct sampled {
    u64 rounds; /* at least 1 */
    u64 reg[PEBS_REGISTERS];
    u64 xmm[PEBS_XMM_REGISTERS][2];
    u64 use_xmm;    /* 1: the XMM registers hold xmm[] */
    u64 then_msr;   /* a register to write right after the counters were started; 0: none */
    u64 then_value; /* what it gets */
    u64 flags;      /* SAMPLED_FLAGS that are set in RFLAGS */
    u64 word;       /* the loop loads from here */
};
_Static_assert(offsetof(struct sampled, reg) == 8 && offsetof(struct sampled, xmm) == 136 &&
                   offsetof(struct sampled, use_xmm) == 392 && offsetof(struct sampled, then_msr) == 400 &&
                   offsetof(struct sampled, flags) == 416,
               "pmu/workload/sampled.asm");

/* Sets a value for each register, different in each run, so that a record from an earlier run cannot pass. */
void sampled_prepare(struct sampled *sampled, u64 rounds);
/* Starts the counters, runs the loop `rounds` times, stops them. sampled->reg then holds the registers' values. */
void sampled_run(const struct switch_write *sw, struct sampled *sampled);
/* Like sampled_run(), with the loop at CPL 3, without XMM registers and without a register to clear. */
void sampled_run_user(const struct switch_write *sw, struct sampled *sampled);
/*
 * How many instructions of the loop had retired when SAMPLED_CLOCK held `clock`, for an address `rip` in the loop.
 * `next`: `rip` is that of the next instruction, as in older records; else of the last retired one.
 */
u64 sampled_instruction(u64 rip, u64 clock, bool next);
/*
 * CF around this address in the loop: false if it changes at the instruction, or at one beside it; then the record does
 * not tell which of the two values it should have.
 */
bool sampled_carry(u64 rip, bool *set);
/* Is the address in the block, where counters are on? Is it in the loop, where the registers hold their values? */
bool sampled_holds(u64 rip);
bool sampled_in_loop(u64 rip);
/*
 * The registers, as bits of enum pebs_register, that hold their values of sampled->reg at this address: in the loop all
 * but the clock, between it and the stop those that the stop does not need, elsewhere none.
 */
u32 sampled_kept(u64 rip);

/* ---- One branch record: reading and writing it. */

struct branch_record {
    u64 from, to, info; /* as read; info is 0 if there is no such MSR */
};
/* Reads record `age`; 0 is the newest. Only if lbr_stack(). */
struct branch_record lbr_record(const struct lbr_stack *stack, u32 age);
/* Writes the record, without info if there is no such MSR. */
void lbr_put(const struct lbr_stack *stack, u32 age, const struct branch_record *record);

/* ---- The end of all sampling on the calling CPU: its DS area, or its buffer of architectural PEBS. */

/* PEBS index of the area that was last written to the calling CPU's IA32_DS_AREA; 0: none of ours. */
u64 ds_area_index(void);
/*
 * Ends PEBS, including that of firmware or an earlier kernel: clears IA32_PEBS_ENABLE and MSR_PEBS_DATA_CFG, waits, and
 * clears IA32_DS_AREA. Counters must be stopped. Writes nothing to registers that are 0.
 */
void ds_area_release(const struct pmu_caps *caps);
/*
 * Ends all sampling, including firmware's: clears each counter's CFG_C, waits for late records, and clears
 * IA32_PEBS_INDEX and _BASE. Counters must be stopped. Registers that are 0, or do not exist, are not written.
 */
void apebs_release(const struct pmu_caps *caps);
