/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a PMU must show after any sequence of writes and runs, by what was written and by what was read before. A test
 * writes through these functions and compares values, overflow bits and claims after each step: nothing may have
 * changed but what the step was for. (That controls stay as written the bracket around each repeat compares.) Judging
 * code: from the manual's sentences, independent of the reference PMU's. Acts on the calling CPU.
 */
#pragma once

#include "harness/discord.h"

struct shadow {
    u64 select[GP_COUNTERS_MAX], fields, status;
    u64 value[64];       /* by the counter's bit */
    u64 debugctl, found; /* the bits of SHADOW_DEBUGCTL in IA32_DEBUGCTL, and what they were at first */
    struct discord discord;
};

#define SHADOW_DEBUGCTL (DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI)

/* One run of all counters: its code, and what was seen of it. */
struct shadow_run {
    u64 first;  /* IA32_PERF_GLOBAL_CTRL for a few instructions, or 0 */
    u64 mask;   /* then, for all of the block */
    u64 k;      /* turns of the default block */
    bool user;  /* it runs at CPL 3, and a little before and after it at CPL 0 */
    bool stops; /* the PMI's handler stops all counters */
    bool nmi;   /* PMIs come as NMIs; while overflow bits stand one by anybody else looks like them */
    u32 pmis;   /* that came */
    u64 ctrl;   /* IA32_PERF_GLOBAL_CTRL in the first one's handler */
};

/* Reads what is there: the controls, of counters that stand still, and their values. */
void shadow_begin(struct test *t, struct shadow *s);
/* The two sets of rings, OS and USR of enum counter_flags, of a counter that its control lets count. */
unsigned shadow_rings(const struct shadow *s, struct counter c);
/* How many events of the counter the block has, if they are instructions or branches; 0: of others nobody knows. */
u64 shadow_events(const struct shadow *s, struct counter c, u64 k);
/* Does it count cycles, of a clock whose overflow bit is set once (overflows_again())? */
bool shadow_clock(const struct shadow *s, struct counter c);
/* The counters with their PMI bit set. */
u64 shadow_interrupting(const struct test *t, const struct shadow *s);
/* How many events are left until it overflows. */
u64 shadow_distance(const struct shadow *s, struct counter c);

/* Each writes the register, and notes it. */
void shadow_select(struct test *t, struct shadow *s, unsigned n, u64 select);
void shadow_fields(struct test *t, struct shadow *s, u64 fields);
void shadow_value(struct test *t, struct shadow *s, struct counter c, u64 value);
void shadow_status_set(struct test *t, struct shadow *s, u64 bits);
void shadow_status_clear(struct shadow *s, u64 bits);
void shadow_debugctl(struct test *t, struct shadow *s, u64 bits);
/* A PMI freezes the counters. */
bool shadow_freezes(const struct shadow *s);

/* Nothing ran: all registers are as noted. After a discord it looks no further. */
void shadow_compare(struct test *t, struct shadow *s);
/* This ran: counters have moved, wrapped, raised a PMI and were frozen as they must; notes where they are now. */
void shadow_compare_run(struct test *t, struct shadow *s, const struct shadow_run *run);
