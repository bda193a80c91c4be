/* SPDX-License-Identifier: BSD-2-Clause */
/* The number of the calling CPU. */
#pragma once

#include "boot/bits.h"

/* CPU numbers are below this; the memory of each CPU is allocated when it is created. */
#define MAX_CPUS 1024

/* The number of the CPU that calls. Cheap (STR), valid in interrupt handlers. */
u32 cpu_index(void);
/* False: the calling CPU has no task state yet, and thus no number. */
bool cpu_has_index(void);
/* Called once the boot CPU, as the first, has its task register: until then no CPU has a number, whatever TR holds. */
void cpu_numbered(void);
