/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the manual promises of a value that is read, so that a CPU must show the model's: all of it, some bits, or
 * nothing once cycles have moved it. Pure.
 */
#pragma once

#include "reference/lockstep/code.h"
#include "reference/model/model.h"

#define WRITTEN_MOST 32
#define COUNTER_BITS 48 /* of IA32_PERF_GLOBAL_CTRL */

/* A register with partly promised bits: all of them are promised while nothing that could change it has retired. */
struct written {
    u32 msr;
    u32 moment;
    u64 value; /* its value at that moment */
};

/*
 * A rough counter counts what no manual counts for each instruction: cycles, slots, misses, or cycles in which
 * something happens. Since it was written, or read last, it had the value `since`.
 */
struct rough {
    u64 since;
    u32 switches; /* then, see below */
    u16 slack;    /* how far off by each time that it begins to count, where it depends on what was before */
    u16 most;     /* the same, of all its events since then */
    bool known;   /* it was written, or read, in this walk */
};

struct promises {
    u64 info_kept; /* flags of a branch record that stay as they were written */
    u64 info_told; /* those that recording sets to what the model knows */
    bool modelled; /* the CPU's clocks are those of a model, too: it counts nearly as many cycles as the oracle */
    u64 rough;     /* the rough ones, by their bits in IA32_PERF_GLOBAL_CTRL */
    u64 moved;     /* counters that may have counted since they were written or read */
    u32 switches;  /* how often counting may have begun or ended so far */
    u8 noted;      /* bit 0: which counters count at CPL 0 is in `moved` since then; bit 1: at CPL 3 */
    struct rough counter[COUNTER_BITS];
    /* PERF_METRICS when it was read last, as the model and the CPU had it; 0: it was not. And that moment. */
    u64 metrics[2];
    u32 metrics_moment;
    u32 moment; /* number of instructions that retired while something was counted or recorded */
    u32 count;
    struct written written[WRITTEN_MOST];
};

/* At the start of a walk: fixed counters other than that of instructions are rough. */
void promises_begin(struct promises *promises);
/* Are these flags of a branch record, with cycles that the model does not know? */
bool promises_unknown_cycles(u64 info);
/* Does this event select make a counter a rough one? Only with its enable bit. */
bool promises_rough(u64 select);
/* An instruction at this privilege level may be counted. */
void promises_count(struct promises *promises, const struct model *model, u8 cpl);
/* Counting may begin or end: a control is written, or a PMI comes. */
void promises_switch(struct promises *promises);
/* The counter that a step reads or writes, as its bit in IA32_PERF_GLOBAL_CTRL; 64: none. */
u32 promises_counter(const struct lockstep_step *step);
/* After a step has written its register: the model's value is the CPU's. */
void promises_written(struct promises *promises, struct model *model, const struct lockstep_step *step);
/* After a step has read its register: RDPMC may have cleared metrics and slots. */
void promises_read(struct promises *promises, struct model *model, const struct lockstep_step *step);
/*
 * The model shows `want` to a step that reads, the CPU `got`: is that as promised? A rough counter that cannot have
 * counted must not have moved; else it must be near the model's value, which becomes the CPU's, or on a CPU whose
 * clocks are its own it must have moved if the model's has moved far.
 */
bool promises_keep(struct promises *promises, struct model *model, const struct lockstep_step *step, u64 want, u64 got);
