/* SPDX-License-Identifier: BSD-2-Clause */
#include "reference/step/stepper.h"
#include "kernel/core/memory.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/instructions.h"
#include "kernel/text/text.h"

/* The ends of the section, named by the linker. */
extern const struct stepper *const __start_steppers[], *const __stop_steppers[];

static const struct stepper *chosen;

const struct stepper *stepper(void)
{
    return chosen;
}

static int place(const struct stepper *s, const char *way)
{
    for (int n = 0; s->ways[n]; n++)
        if (!way || !strcmp(s->ways[n], way))
            return n;
    return -1;
}

int stepper_choose(const char *way)
{
    for (const struct stepper *const *s = __start_steppers; s < __stop_steppers; s++) {
        int found = place(*s, way);
        if (found >= 0) {
            chosen = *s;
            return found;
        }
    }
    return -1;
}

bool stepper_active(void)
{
    return chosen && chosen->active();
}

void stepper_leaves(u32 cpu)
{
    if (chosen)
        chosen->leaves(cpu);
}

void stepper_stays(u32 cpu)
{
    if (chosen)
        chosen->stays(cpu);
}

void stepper_comes_back(void)
{
    if (chosen)
        chosen->comes_back();
}

void stepper_restore_text(void)
{
    if (chosen)
        chosen->restore_text();
}

void stepper_everywhere(void)
{
    if (chosen && chosen->everywhere)
        chosen->everywhere();
}

void stepper_moved(void)
{
    if (stepper_active())
        stepper_call(CALL_MOVED, 0);
}

struct model_core *stepper_core(u32 cpu)
{
    static struct model_core *cores[MAX_CPUS / 2];
    struct model_core **core = &cores[cpu / 2], *none = NULL, *found = __atomic_load_n(core, __ATOMIC_ACQUIRE);
    if (found)
        return found;
    found = pages_alloc((model_core_size() + PAGE_SIZE - 1) / PAGE_SIZE);
    if (found && !__atomic_compare_exchange_n(core, &none, found, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        found = none;
    return found;
}

void stepper_drain(void)
{
    u64 flags = interrupts_off();
    interrupts_on();
    cpu_pause();
    interrupts_restore(flags);
}
