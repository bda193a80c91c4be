/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of CPUs that are starting and have no tables yet: such a CPU does not know its number. */
#include "kernel/core/image.h"
#include "kernel/firmware/power.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/log/log.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/msr.h"

/* CPUs by their CPUID id, as reading the local APIC may be what faulted. */
static struct early {
    u32 initial_apic_id;
    fault_t fault;
    u64 rip;
    bool complete;
} all[16];
static unsigned tickets;

void fault_at_start(const struct frame *frame)
{
    unsigned ticket = __atomic_fetch_add(&tickets, 1, __ATOMIC_RELAXED);
    if (ticket < ARRAY_SIZE(all)) {
        struct early *early = &all[ticket];
        *early = (struct early){cpuid(1, 0).ebx >> 24, FAULT(frame->vector, frame->error), frame->rip, false};
        __atomic_store_n(&early->complete, true, __ATOMIC_RELEASE);
    }
    power_halt();
}

void faults_at_start_report(void)
{
    for_each_row (all, early) {
        char text[FAULT_TEXT_SIZE];
        u64 offset = 0;
        const char *name = symbol_name(early->rip, &offset);
        if (__atomic_load_n(&early->complete, __ATOMIC_ACQUIRE))
            log_line("# error a CPU (initial APIC id %u) faulted while starting: %s at %lx (%s+0x%lx)",
                     early->initial_apic_id, fault_text(early->fault, text), early->rip, name ? name : "none", offset);
    }
}
