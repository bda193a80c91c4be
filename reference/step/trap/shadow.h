/* SPDX-License-Identifier: BSD-2-Clause */
/* The stepper's interrupt table and task state, which the CPU has while it is armed. */
#pragma once

#include "reference/step/trap/stepped.h"

bool shadow_create(struct stepped *s); /* false: no memory */
void shadow_load(struct stepped *s);   /* keeps what was loaded */
void shadow_unload(struct stepped *s); /* back to that */
/* The table of a CPU that sleeps inside, or the stepper's own again. */
void shadow_sleeps(struct stepped *s, bool asleep);
/* Is it code of the gates, on the way in or out? */
bool shadow_code(u64 rip);
/* The program's frame on its way in or out, on the stack of this stack pointer. */
struct frame *shadow_frame(u64 rsp);
