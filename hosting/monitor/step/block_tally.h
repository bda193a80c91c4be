/* SPDX-License-Identifier: BSD-2-Clause */
/* Evaluates the notes of executed blocks: adds up counts, and reports branches that are wanted one by one. */
#pragma once

#include "hosting/monitor/step/block_cache.h"
#include "kernel/interrupt/frame.h"
#include "reference/model/model.h"

/* Counts that are not reported yet. */
struct tally {
    struct blocks *blocks; /* of the CPU */
    struct model *model;   /* the CPU's PMU */
    struct model_run run;
    u32 reported; /* instructions reported so far */
};

/* Goes through the notes from `first` downwards. Returns where the last block led, or `rip` if there are no notes. */
u64 tally_go_through(const struct frame *f, struct tally *t, const u16 *first, u64 rip);
/* Calculates and adds up to `most` turns of a block that spins. Returns whether the loop was left. */
bool tally_spin(const struct frame *f, struct tally *t, const struct block *b, u32 most);
/* Adds the first `instructions` of block `number`, which was left before its end. */
void tally_part(struct tally *t, u32 number, unsigned instructions);
/* Reports the counts to the model, as instructions at f's privilege level. */
void tally_report(const struct frame *f, struct tally *t);
