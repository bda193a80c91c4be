/* Translated blocks (block.h): straight code that is counted as fast as the CPU executes it. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

bool blocks_init(struct vcpu *v); /* false: no memory */
/*
 * Executes and reports instructions from there on, through blocks that follow each other, until it were `enough`.
 * `most` is a bound, which must be within model_run_room(). Returns how many; 0: there is no room for a block.
 */
u32 blocks_run(struct vcpu *v, struct frame *f, struct translated *t, u32 enough, u32 most);
/* Was this an exception in one? Then f is sent out of it, to the instruction that did it. */
bool blocks_faulted(struct vcpu *v, struct frame *f);
