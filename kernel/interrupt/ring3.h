/* A way to run code at CPL 3 and come back. Code and data must lie in the sections .user.text and .user.data. */
#pragma once

#include "boot/bits.h"

/* Calls code(argument) at CPL 3 on this CPU's user stack. It ends with `int VECTOR_RING3_RETURN`, result in RAX. */
u64 ring3_run(void (*code)(u64), u64 argument);
/*
 * What the two hand each other: RING3_ROOM bytes of this CPU's user stack, far below what code there needs of it. Each
 * address is 16-byte aligned and the same for both.
 */
#define RING3_ROOM 2048
void *ring3_room(void);
/* Is this the address of code that runs there, and nowhere else? */
bool ring3_code(u64 rip);
/* Of code that runs at CPL 0? */
bool ring0_code(u64 rip);
