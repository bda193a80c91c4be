/* SPDX-License-Identifier: BSD-2-Clause */
#include "hosting/monitor/run/sleep.h"
#include "hosting/monitor/guest/deliver.h"
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/guest/guest_memory.h"
#include "hosting/monitor/guest/retire.h"
#include "hosting/monitor/guest/time.h"
#include "hosting/monitor/run/apic_page.h"
#include "hosting/monitor/run/startup.h"
#include "hosting/monitor/run/stuck.h"
#include "hosting/monitor/step/shadow.h"
#include "hosting/monitor/step/step.h"
#include "hosting/monitor/vmrun.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/apic.h"
#include "kernel/log/log.h"

#define HLT 0xf4 /* its only byte */

static void take_interrupt(struct vcpu *v, struct frame *f)
{
    if (v->host_irq) {
        v->host_irq = false;
        model_interrupted(v->model, f->cs & 3);
        deliver(v, f, v->host_vector, 0);
    }
    startup_take_nmi(v);
}

/* Every CPU of the guest sleeps with interrupts off, so only an NMI can go on: mostly a kernel that has given up. */
static void tell_asleep(const struct vcpu *v, const struct frame *f)
{
    static bool told;
    for (u32 cpu = 0; cpu < cpu_count(); cpu++) {
        const struct vcpu *other = vcpu_of(cpu);
        if (other && other != v && !startup_waits(other) && !__atomic_load_n(&other->asleep, __ATOMIC_SEQ_CST))
            return;
    }
    if (!__atomic_exchange_n(&told, true, __ATOMIC_RELAXED))
        log_line("# host cpu=%u rip=0x%lx asleep=\"HLT or MWAIT with interrupts off, on every CPU: only an NMI ends "
                 "it\"",
                 v->cpu, f->rip);
}

/* At an HLT under STI's shadow, which VMRUN does not restore: an interrupt would be taken before the sleep. */
static bool about_to_sleep(struct vcpu *v, const struct frame *f)
{
    u8 byte;
    return v->vmcb->exit_code == EXIT_NMI && v->vmcb->interrupt_shadow && !v->in_stub && !shadow_code(f->rip) &&
           guest_read(v, &byte, guest_linear(v, &v->vmcb->cs, f->rip), 1) && byte == HLT;
}

static void wake(struct vcpu *v)
{
    if (v->idle.behind)
        model_halted(v->model, false);
    v->idle.behind = 0;
}

void sleep_exit(struct vcpu *v, struct frame *f)
{
    v->idled = v->idle;
    if (v->idle.behind && f->rip == v->idle.at)
        f->rip = v->idle.behind;
    else if (about_to_sleep(v, f))
        v->idled = (struct idle){.at = f->rip, .behind = f->rip + 1};
    wake(v);
}

/* Was it only the NMI that has the model asked? That alone does not wake the CPU. */
static bool woken_for_nothing(struct vcpu *v)
{
    if (!startup_woken(v))
        return false;
    model_stepping(v->model); /* which may raise a PMI */
    return !v->requested && !v->pending.any;
}

/* An interrupt of the machine's timer before the guest's timer is due is not for the guest. */
static bool drop_early_timer(struct vcpu *v)
{
    if (!v->host_irq || !guest_time_early(v, v->host_vector))
        return false;
    v->host_irq = false;
    apic_page_write(APIC_EOI, 0);
    guest_time_sleep(v, true);
    return true;
}

/*
 * HLT retires, then the CPU sleeps until something comes: with interrupts off only an NMI. It sleeps on the host's
 * side, since the event that wakes it has to be delivered by hand if the guest is stepped, and the model is told when
 * it sleeps and wakes. Pending events, such as a PMI that HLT's own retirement has raised, end the sleep at once.
 */
static void halt(struct vcpu *v, struct frame *f, unsigned length)
{
    if (is_stepped(v))
        step_interrupted(v, f);
    retire(v, f, RETIRED_HLT, f->rip, f->cs & 3, false);
    if (v->guest_tf) { /* SDM 2A, "HLT": a debug exception ends it */
        f->rip += length;
        deliver_single_step(v, f);
        return;
    }
    v->host_irq = v->host_nmi = false;
    __atomic_store_n(&v->asleep, !(f->rflags & RFLAGS_IF), __ATOMIC_SEQ_CST);
    if (is_foreign(v) && v->asleep && !v->pending.any)
        tell_asleep(v, f);
    f->rip += length;
    model_halted(v->model, true);
    guest_time_sleep(v, true);
    stuck_sleeps(v);
    while (!v->host_irq && !v->host_nmi && !v->pending.any) {
        stuck_look(v, f);
        if (v->host_irq || v->host_nmi || v->pending.any)
            break;
        host_halt(f->rflags & RFLAGS_IF);
        woken_for_nothing(v);
        drop_early_timer(v);
    }
    stuck_wakes(v);
    guest_time_exit(v);
    guest_time_sleep(v, false);
    model_halted(v->model, false);
    __atomic_store_n(&v->asleep, false, __ATOMIC_SEQ_CST);
    take_interrupt(v, f);
}

void sleep_begin(struct vcpu *v, struct frame *f, unsigned length)
{
    if (!is_foreign(v) || is_stepped(v) || !(f->rflags & RFLAGS_IF) || v->guest_tf) {
        halt(v, f, length);
        return;
    }
    /* By itself, in the guest: an interrupt that waits, or comes before the HLT, exits and is taken behind the HLT. */
    v->idle = (struct idle){.at = f->rip, .behind = f->rip + length};
    model_halted(v->model, true);
}

static void sleep_at(struct vcpu *v, struct frame *f, struct idle idle)
{
    f->rip = idle.at;
    sleep_begin(v, f, (unsigned)(idle.behind - idle.at));
}

/* If the guest's CPU slept by itself, what woke it was not for the guest: it sleeps again. An interrupt taken at the
 * HLT, as if it had not slept, would wake nobody: its handler would return to the HLT. */
static void sleep_on(struct vcpu *v, struct frame *f)
{
    if (v->idled.behind && !v->pending.any)
        sleep_at(v, f, v->idled);
}

void sleep_stepped(struct vcpu *v, struct frame *f)
{
    struct idle idle = v->idle;
    wake(v);
    if (idle.behind && f->rip == idle.at)
        sleep_at(v, f, idle);
}

/*
 * An unstepped guest takes the interrupt that woke it as soon as it continues. While time is withheld from it,
 * interrupts are taken here, so that early timer interrupts can be dropped.
 */
static void sort_interrupts(struct vcpu *v, struct frame *f)
{
    if (!guest_time_unsure(v))
        return;
    host_take_interrupts();
    startup_take_nmi(v);
    if (drop_early_timer(v)) {
        sleep_on(v, f);
    } else if (v->host_irq) {
        v->host_irq = false;
        v->vmcb->event_injection = INJECT_INTERRUPT(v->host_vector) | INJECT_VALID;
    }
}

void sleep_interrupted(struct vcpu *v, struct frame *f)
{
    if (!is_stepped(v)) {
        sort_interrupts(v, f);
        return;
    }
    step_interrupted(v, f);
    host_take_interrupts();
    take_interrupt(v, f);
}

void sleep_nmi(struct vcpu *v, struct frame *f)
{
    v->host_nmi = false;
    host_take_nmi();
    bool nothing = woken_for_nothing(v);
    startup_take_nmi(v);
    if (nothing)
        sleep_on(v, f);
}
