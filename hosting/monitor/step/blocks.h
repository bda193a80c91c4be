/* SPDX-License-Identifier: BSD-2-Clause */
/* Translated blocks (block.h): straight code that is counted as fast as the CPU executes it. */
#pragma once

#include "hosting/monitor/vcpu.h"

bool blocks_init(struct vcpu *v); /* false: no memory */
/*
 * Executes and reports instructions from `t` on, through blocks that follow each other, until there are `enough`. Never
 * more than `most`, which must be within model_run_room(). Returns how many; 0: there is no room for a block.
 */
u32 blocks_run(struct vcpu *v, struct frame *f, struct translated *t, u32 enough, u32 most);
/* Was this an exception in a block? Then f is sent out of the block, to the instruction that raised it. */
bool blocks_faulted(struct vcpu *v, struct frame *f);
