/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether this machine, or what emulates it, traps as the stepper needs it. */
#include "kernel/interrupt/interrupt.h"
#include "reference/step/trap/stepped.h"

#define STEPS 6 /* instructions of tried_code() that begin with TF set */
#define BREAKS 1

void tried_code(void); /* entry.asm */
static unsigned steps, breaks;

static void on_step(struct frame *f)
{
    (void)f;
    steps++;
}

static void on_break(struct frame *f)
{
    (void)f;
    breaks++;
}

const char *traps_tried(void)
{
    steps = breaks = 0;
    interrupt_handle(VECTOR_DB, on_step);
    interrupt_handle(VECTOR_BP, on_break);
    u64 flags = interrupts_off();
    tried_code();
    interrupts_restore(flags);
    interrupt_handle(VECTOR_DB, NULL);
    interrupt_handle(VECTOR_BP, NULL);
    if (breaks != BREAKS)
        return "reference PMU: INT3 raises no #BP here (a debugger or hypervisor takes it), which the stepper needs";
    if (steps != STEPS)
        return "reference PMU: TF does not raise a #DB for each instruction here (a debugger or hypervisor takes it, "
               "or IA32_DEBUGCTL.BTF is set), which the stepper needs";
    return NULL;
}
