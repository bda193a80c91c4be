/* SPDX-License-Identifier: BSD-2-Clause */
/* The number of the calling CPU. */
#include "boot/cpu.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/instructions.h"

static bool numbered; /* the boot CPU has its task register */

void cpu_numbered(void)
{
    numbered = true;
}

/* Linux, or what else started the image, may have set the boot CPU's task register; INIT clears that of the others. */
bool cpu_has_index(void)
{
    return numbered && read_tr();
}

u32 cpu_index(void)
{
    u16 selector = read_tr();
    return selector < SELECTOR_TSS(0) ? 0 : (selector - SELECTOR_TSS(0)) / 16;
}
