/* Fast-forwarding: many turns of a loop at once. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

bool forward_init(struct vcpu *v); /* false: no memory */
/*
 * The branch at `branch` has just led back to f->rip, in the run of instructions under way: that loop, if it can be
 * forwarded here and now.
 */
struct hot_loop *forward_find(struct vcpu *v, const struct frame *f, u64 branch);
/* Executes and reports up to `most` instructions, which must be within model_run_room(). Returns how many. */
u32 forward(struct vcpu *v, struct frame *f, struct hot_loop *h, u32 most);
bool forward_code(const struct vcpu *v, u64 rip); /* is this within a translation? */
/* Was this #SS, #GP or #PF in one? Then f is sent out of it, to the instruction that did it. */
bool forward_faulted(struct vcpu *v, struct frame *f);
