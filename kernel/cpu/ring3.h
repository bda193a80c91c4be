/* A way to run code at CPL 3 and come back. The code and its data must lie in the sections .user.text and .user.data.
 */
#pragma once

#include "boot/bits.h"

/* Calls code(argument) at CPL 3 on this CPU's user stack. The code ends with `int VECTOR_RING3_RETURN`, RAX its result.
 */
u64 ring3_run(void (*code)(u64), u64 argument);
/* Is this the address of code that runs there, and nowhere else? */
bool ring3_code(u64 rip);
