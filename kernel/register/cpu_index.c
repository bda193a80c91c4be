#include "kernel/register/cpu_index.h"
#include "boot/cpu.h"
#include "kernel/register/instructions.h"

static bool numbered; /* the boot CPU is */

void cpu_numbered(void)
{
    numbered = true;
}

/* What started the image, such as Linux, may leave the boot CPU with a task register of its own; INIT leaves none. */
bool cpu_has_index(void)
{
    return numbered && read_tr();
}

u32 cpu_index(void)
{
    u16 selector = read_tr();
    return selector < SELECTOR_TSS(0) ? 0 : (selector - SELECTOR_TSS(0)) / 16;
}
