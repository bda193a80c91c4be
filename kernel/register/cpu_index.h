/* Which CPU this is. */
#pragma once

#include "boot/bits.h"

/* CPUs have numbers below this; what each one needs is taken as it is created. */
#define MAX_CPUS 1024

/* The number of the CPU that calls. Cheap (STR), valid in interrupt handlers. */
u32 cpu_index(void);
/* False: the calling CPU has no task state yet, and no number. */
bool cpu_has_index(void);
/* The calling CPU has its task register, the boot CPU first: until then none has a number, whatever was left there. */
void cpu_numbered(void);
