/* What came of blocks that were executed, by the notes that they left: counts, and branches that are wanted one by one.
 */
#pragma once

#include "kernel/interrupt/frame.h"
#include "pmu/reference/model/model.h"
#include "pmu/reference/monitor/step/block_cache.h"

/* What has happened and is not reported yet. */
struct tally {
    struct blocks *blocks; /* of the CPU */
    struct model *model;   /* the CPU's PMU */
    struct model_run run;
    u32 reported; /* instructions */
};

/* What is added next begins at `rip`. */
void tally_begin(struct tally *t, u64 rip);
/* Goes through the notes from `first` downwards. Returns where the last block led, or `rip` if there is none. */
u64 tally_go_through(const struct frame *f, struct tally *t, const u16 *first, u64 rip);
/* The first instructions of the block of that number, which was left before its end. */
void tally_part(struct tally *t, u32 number, unsigned instructions);
/* Reports what there is to the model, of instructions at f's privilege level. */
void tally_report(const struct frame *f, struct tally *t);
