#include "kernel/cpu/cpu_index.h"
#include "kernel/cpu/instructions.h"
#include "kernel/cpu/percpu.h"

/* What started the image, such as Linux, may leave the boot CPU with a task register of its own; INIT leaves none. */
bool cpu_has_index(void)
{
    return read_tr() && percpu_of(0);
}

u32 cpu_index(void)
{
    u16 selector = read_tr();
    return selector < SELECTOR_TSS(0) ? 0 : (selector - SELECTOR_TSS(0)) / 16;
}
