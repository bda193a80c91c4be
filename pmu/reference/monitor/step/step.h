/* Stepping: each instruction that retires while a counter can count is met here, by a trap or without one. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

/* Prepares the instruction at f->rip for stepping, emulating as many before it as have to be; or stops stepping. */
void step_begin(struct vcpu *v, struct frame *f);
/* Executes what it can of the instructions from f->rip on, counting each. From the in-guest half, after a step. */
void step_run(struct vcpu *v, struct frame *f);
/* The stepped instruction has completed (#DB). */
void step_completed(struct vcpu *v, struct frame *f);
/* Something else came while stepping: accounts for what completed before it. */
void step_interrupted(struct vcpu *v, struct frame *f);
/* Starts stepping if the model wants it and it is not on yet. */
void step_start_if_needed(struct vcpu *v, struct frame *f);
/* Goes on after something was handled by the in-guest half: stepping or not, as the model wants. */
void step_resume(struct vcpu *v, struct frame *f);
