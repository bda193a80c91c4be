/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Starting the CPUs of a foreign guest: SDM 3A, "Multiple-Processor (MP) Initialization". A real INIT would take a CPU
 * out of the monitor, so the machine never gets one: the CPU is sent an NMI instead, which always exits, and sleeps on
 * the host's side until a start-up IPI comes. What is asked of a CPU is one word that changes atomically; the interrupt
 * only makes the CPU look at it:
 *
 *   runs -INIT-> init -(the CPU sees it)-> waits -start-up IPI-> at a vector -(the CPU sees it)-> runs
 *
 * A start-up IPI that comes before the CPU sees its INIT is kept; one to a CPU that runs is lost, and so is the second
 * of two, as on every machine.
 */
#include "hosting/monitor/run/startup.h"
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/guest/time.h"
#include "hosting/monitor/step/foreign.h"
#include "hosting/monitor/step/transition.h"
#include "hosting/monitor/vmrun.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/apic.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/log/log.h"

enum { RUNS, INIT, WAITS, AT }; /* the vector is in the bits above AT */
#define VECTOR_SHIFT 8
#define SPURIOUS 0xffu
#define EVERYBODY 0xffu /* as a destination */

static u32 startup_state(const struct vcpu *v)
{
    return __atomic_load_n(&v->startup, __ATOMIC_ACQUIRE);
}

static bool change(struct vcpu *v, u32 *from, u32 to)
{
    return __atomic_compare_exchange_n(&v->startup, from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* ---- The CPU that sends. */

static void interrupt(const struct vcpu *to, u32 command)
{
    u32 found = apic_page_read(APIC_ICR_HIGH); /* the guest may have been about to send, too */
    apic_page_write(APIC_ICR_HIGH, cpu_apic_id(to->cpu) << 24);
    apic_page_write(APIC_ICR, (u32)ICR_ASSERT | command);
    apic_page_write(APIC_ICR_HIGH, found);
}

static void init(struct vcpu *to)
{
    u32 was = startup_state(to);
    while (was != INIT && was != WAITS && !change(to, &was, INIT))
        ;
    if (was == RUNS)
        interrupt(to, ICR_NMI);
}

static void start(struct vcpu *to, u32 vector)
{
    u32 was = startup_state(to);
    while ((was == INIT || was == WAITS) && !change(to, &was, AT | vector << VECTOR_SHIFT))
        ;
    if (was == WAITS)
        interrupt(to, VECTOR_WAKE);
}

/* By the destination or a shorthand; a CPU means itself only if it names itself. */
static bool is_meant(const struct vcpu *v, u32 command, u32 cpu)
{
    u32 id = apic_page_read(APIC_ICR_HIGH) >> 24;
    switch (command & ICR_SHORTHAND) {
    case 0:
        return id == cpu_apic_id(cpu) || (id == EVERYBODY && cpu != v->cpu);
    case ICR_SELF:
        return cpu == v->cpu;
    default:
        return cpu != v->cpu;
    }
}

/* INIT has the boot CPU begin at the firmware, which a monitor cannot start again. False: it was ignored. */
static bool act(struct vcpu *to, u32 command)
{
    bool starts = (command & ICR_DELIVERY_MODE) == ICR_STARTUP;
    if (!to->cpu)
        return starts;
    if (starts)
        start(to, command & (u32)ICR_VECTOR(0xff));
    else
        init(to);
    return true;
}

enum reason { TO_NOBODY, TO_LOGICAL, TO_BOOT_CPU, REASONS };

/* Each reason once: some kernels try each possible id. */
static void tell(const struct vcpu *v, u32 command, enum reason reason)
{
    static const char *const text[REASONS] = {
        [TO_NOBODY] = "INIT or start-up IPI to no CPU's id",
        [TO_LOGICAL] = "INIT or start-up IPI to a logical destination",
        [TO_BOOT_CPU] = "INIT to the boot CPU, whose firmware cannot be started again",
    };
    static bool told[REASONS];
    if (!__atomic_exchange_n(&told[reason], true, __ATOMIC_RELAXED))
        log_line("# host cpu=%u command=0x%x destination=0x%x not-followed=\"%s\"", v->cpu, command,
                 apic_page_read(APIC_ICR_HIGH) >> 24, text[reason]);
}

/* The deassertion of a level-triggered INIT, which only the oldest CPUs noticed. */
static bool ends_init(u32 command)
{
    return command & ICR_LEVEL && !(command & ICR_ASSERT);
}

void startup_send(struct vcpu *v, u32 command)
{
    bool meant = false, followed = true;
    if (ends_init(command))
        return;
    if (command & ICR_LOGICAL && !(command & ICR_SHORTHAND)) {
        tell(v, command, TO_LOGICAL);
        return;
    }
    for (u32 cpu = 0; cpu < cpu_count(); cpu++) {
        struct vcpu *to = vcpu_of(cpu);
        if (!to || !is_meant(v, command, cpu))
            continue;
        meant = true;
        followed &= act(to, command);
    }
    if (!meant && !(command & ICR_SHORTHAND))
        tell(v, command, TO_NOBODY);
    else if (!followed)
        tell(v, command, TO_BOOT_CPU);
}

bool startup_wake(struct vcpu *to)
{
    return startup_state(to) == RUNS && !__atomic_exchange_n(&to->woken, true, __ATOMIC_SEQ_CST);
}

/* ---- The CPU that is asked. */

bool startup_woken(struct vcpu *v)
{
    bool woken = v->host_nmi && startup_state(v) == RUNS && __atomic_exchange_n(&v->woken, false, __ATOMIC_SEQ_CST);
    v->host_nmi &= !woken;
    return woken;
}

void startup_take_nmi(struct vcpu *v)
{
    if (v->host_nmi && startup_state(v) != RUNS)
        v->pending.init = true;
    else if (startup_woken(v))
        model_stepping(v->model); /* which may raise a PMI */
    else
        v->pending.nmi |= v->host_nmi;
    v->host_nmi = false;
}

bool startup_waits(const struct vcpu *v)
{
    return startup_state(v) == WAITS;
}

/* Sleeps until it gets a start-up IPI: any other event is lost on a CPU that waits. */
static u32 await_vector(struct vcpu *v)
{
    for (;;) {
        u32 asked = startup_state(v);
        if (asked >> VECTOR_SHIFT || asked == AT) {
            if (change(v, &asked, RUNS))
                return asked >> VECTOR_SHIFT;
        } else if (asked == WAITS) {
            host_halt(true);
            if (v->host_irq)
                apic_page_write(APIC_EOI, 0);
            v->host_irq = v->host_nmi = false;
        } else {
            change(v, &asked, WAITS);
        }
    }
}

/* The local APIC has to be enabled while an interrupt is to wake the CPU. */
void startup_wait(struct vcpu *v, struct frame *f)
{
    transition_init(v);
    guest_time_init(v);
    model_init_signal(v->model);
    model_halted(v->model, true);
    apic_page_write(APIC_SPURIOUS, SPURIOUS_ENABLE | SPURIOUS);
    u32 vector = await_vector(v);
    host_take_nmi(); /* an NMI that came meanwhile is lost, too */
    v->host_nmi = v->woken = false;
    apic_page_write(APIC_SPURIOUS, SPURIOUS);
    model_halted(v->model, false);
    foreign_start(v, f, vector);
}
