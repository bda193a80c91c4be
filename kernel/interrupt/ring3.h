/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs code at CPL 3, or at 1 or 2, and comes back. Code and data must lie in the sections .user.text and .user.data.
 */
#pragma once

#include "boot/bits.h"

/* Calls code(argument) at CPL 3 on this CPU's user stack. It ends with `int VECTOR_RING3_RETURN`, result in RAX. */
u64 ring3_run(void (*code)(u64), u64 argument);
/* The same at CPL 1, 2 or 3; at 1 and 2 it has the supervisor's access to memory, but no privileged instruction. */
u64 ring_run(unsigned cpl, void (*code)(u64), u64 argument);
/*
 * Memory that CPL 0 and CPL 3 share: RING3_ROOM bytes of this CPU's user stack, far below the part that the code there
 * uses. Each address is 16-byte aligned and the same at both levels.
 */
#define RING3_ROOM 2048
void *ring3_room(void);
/* Does the address belong to code that runs at CPL 3 only? */
bool ring3_code(u64 rip);
/* Does it belong to code that runs at CPL 0? */
bool ring0_code(u64 rip);
