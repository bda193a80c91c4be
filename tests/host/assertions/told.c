/* SPDX-License-Identifier: BSD-2-Clause */
/* With ASSERTIONS in the environment a host test ends with the number of assertions that it ran. */
#include <stdio.h>
#include <stdlib.h>

extern unsigned long assertions_run; /* count.asm */
void assertions_told(void);

__attribute__((destructor)) void assertions_told(void)
{
    if (getenv("ASSERTIONS"))
        printf("assertions %lu\n", assertions_run);
}
