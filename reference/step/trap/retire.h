/* SPDX-License-Identifier: BSD-2-Clause */
/* The instruction at the program's RIP, and the one place where an instruction is reported to the model. */
#pragma once

#include "reference/step/trap/stepped.h"

/* Finds or decodes the instruction at f->rip, into s->at: as it is without the stepper's patches. */
void step_find(struct stepped *s, const struct frame *f);
/* The same, and makes it s->current, the instruction that is about to be stepped. */
void step_look(struct stepped *s, const struct frame *f);
/* The instruction at `rip`, which began at `cpl`, has retired, once; f is the program after it. */
void retire(struct stepped *s, const struct frame *f, enum retired_kind kind, u64 rip, u8 cpl, bool taken);
