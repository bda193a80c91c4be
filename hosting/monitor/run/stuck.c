/* SPDX-License-Identifier: BSD-2-Clause */
#include "hosting/monitor/run/stuck.h"
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/vmrun.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/apic.h"
#include "kernel/register/instructions.h"

#define STUCK_SECONDS 2 /* an interrupt or NMI that is on its way has come by then */

static bool timer_runs(void)
{
    return apic_page_read(APIC_TIMER_CURRENT) && !(apic_page_read(APIC_LVT_TIMER) & LVT_MASKED);
}

void stuck_sleeps(struct vcpu *v)
{
    __atomic_store_n(&v->stuck, is_foreign(v) || timer_runs() ? NOT_STUCK : MAY_BE_STUCK, __ATOMIC_SEQ_CST);
}

void stuck_wakes(struct vcpu *v)
{
    __atomic_store_n(&v->stuck, NOT_STUCK, __ATOMIC_SEQ_CST);
}

static bool all_sleep(void)
{
    for (u32 cpu = 0; cpu < cpu_count(); cpu++) {
        const struct vcpu *v = vcpu_of(cpu);
        if (v && __atomic_load_n(&v->stuck, __ATOMIC_SEQ_CST) == NOT_STUCK)
            return false;
    }
    return true;
}

/* Waits with whatever may wake the CPU let in. */
static bool nothing_comes(const struct vcpu *v, const struct frame *f)
{
    u64 begun = rdtsc(), most = STUCK_SECONDS * time_tsc_khz() * 1000;
    while (all_sleep() && rdtsc() - begun < most) {
        if (f->rflags & RFLAGS_IF)
            host_take_interrupts();
        else
            host_take_nmi();
        if (v->host_irq || v->host_nmi)
            return false;
        cpu_pause();
    }
    return all_sleep();
}

void stuck_look(struct vcpu *v, const struct frame *f)
{
    if (v->stuck != MAY_BE_STUCK || !all_sleep())
        return;
    if (!nothing_comes(v, f))
        return;
    v->stuck = LOOKED_AT;
    if (cpus_give_up(v->cpu))
        v->pending.nmi = true;
}
