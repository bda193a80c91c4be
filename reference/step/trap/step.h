/* SPDX-License-Identifier: BSD-2-Clause */
/* Stepping: every instruction that retires while a counter can count is seen here, with or without a trap. */
#pragma once

#include "reference/step/trap/stepped.h"

/* The stepped instruction has completed (#DB). */
void step_completed(struct stepped *s, struct frame *f);
/* Executes as many of the instructions from f->rip on as it can, counting each; after a step. */
void step_run(struct stepped *s, struct frame *f);
/* Another event came while stepping: reports the instructions that completed before it. */
void step_interrupted(struct stepped *s, struct frame *f);
/* Continues after an event: stepping or not, as the model wants, with pending events delivered. */
void step_resume(struct stepped *s, struct frame *f);
