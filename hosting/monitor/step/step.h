/* SPDX-License-Identifier: BSD-2-Clause */
/* Stepping: every instruction that retires while a counter can count is seen here, with or without a trap. */
#pragma once

#include "hosting/monitor/vcpu.h"

/* Prepares the instruction at f->rip for stepping, after emulating those before it as needed; or stops stepping. */
void step_begin(struct vcpu *v, struct frame *f);
/* Executes as many of the instructions from f->rip on as it can, counting each. In the in-guest half, after a step. */
void step_run(struct vcpu *v, struct frame *f);
/* The stepped instruction has completed (#DB). */
void step_completed(struct vcpu *v, struct frame *f);
/* Another event came while stepping: reports the instructions that completed before it. */
void step_interrupted(struct vcpu *v, struct frame *f);
/* Forgets the requested interrupt once the local APIC no longer requests it: it came while the CPU ran by itself. */
void step_forget_arrived(struct vcpu *v);
/* Starts stepping if the model wants it and it has not begun. */
void step_start_if_needed(struct vcpu *v, struct frame *f);
/* Continues after the in-guest half has handled an event: stepping or not, as the model wants. */
void step_resume(struct vcpu *v, struct frame *f);
