/* SPDX-License-Identifier: BSD-2-Clause */
/* What every version of TCG was found to keep, asked before it is relied on. */
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/apic.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/instructions.h"
#include "reference/step/stepper.h"

#define VECTOR_PROBE 0x83
#define READS 1000 /* reads of the local APIC, which take longer than an NMI to itself */

static PER_CPU struct probes {
    unsigned nmis, nested;
    bool inside, woken;
} probes;

static struct probes *mine(void)
{
    return &of_cpu(probes, cpu_index());
}

static void on_vector(struct frame *f)
{
    (void)f;
    apic_eoi();
    mine()->woken = true;
}

static void await_nmis(unsigned count)
{
    for (unsigned n = 0; n < READS && mine()->nmis < count; n++)
        apic_id();
}

/* The first one sends another, which must wait for the end of its handler. */
static void on_nmi(struct frame *f)
{
    struct probes *p = mine();
    (void)f;
    p->nested += p->inside;
    if (p->nmis++ || p->inside)
        return;
    p->inside = true;
    apic_send_nmi(apic_id());
    await_nmis(2);
    p->inside = false;
}

void stepper_probes(bool begin)
{
    interrupt_handle(VECTOR_PROBE, begin ? on_vector : NULL);
    interrupt_handle(VECTOR_NMI, begin ? on_nmi : NULL);
}

/* An interrupt that waits is taken behind the HLT that follows an STI, and so ends it. SDM 2B, "STI". */
static void sleep_and_wake(void *unused)
{
    (void)unused;
    interrupts_off();
    stepper_call(CALL_COUNT_BEGIN, 0);
    apic_send(apic_id(), VECTOR_PROBE);
    sti_hlt();
    stepper_call(CALL_COUNT_END, 0);
}

/* NMIs are blocked until the handler's IRET, and one that comes meanwhile is not lost. SDM 3A, "Handling Multiple
 * NMIs". */
static void take_nmis(void *unused)
{
    (void)unused;
    stepper_call(CALL_COUNT_BEGIN, 0);
    apic_send_nmi(apic_id());
    await_nmis(2);
    stepper_call(CALL_COUNT_END, 0);
}

static bool came_back(void (*function)(void *))
{
    u64 flags = interrupts_off();
    struct guard_result result = guarded_call(function, NULL);
    stepper_call(CALL_COUNT_END, 0); /* it may have been ended before its own */
    interrupts_restore(flags);
    return result.fault == NO_FAULT && !result.timeout && !result.storm;
}

const char *stepper_probe(void)
{
    struct probes *p = mine();
    *p = (struct probes){0};
    if (!apic_present())
        return NULL; /* nothing can be sent */
    if (!came_back(sleep_and_wake) || !p->woken)
        return "an interrupt that waits does not end the HLT behind an STI";
    if (!came_back(take_nmis) || p->nested)
        return "an NMI is not held until the end of the handler of another";
    return p->nmis == 2 ? NULL : "of two NMIs the second, which had to wait, is lost";
}
