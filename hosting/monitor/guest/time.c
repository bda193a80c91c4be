/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When the machine's timer reaches zero, a guest that runs by itself takes the interrupt without an exit. Whether it
 * has come is found out afterwards, from the interrupt being requested or in service: the guest has to end it at the
 * APIC, which exits, so an exit comes before both bits are gone. QEMU's timer counts nanoseconds and may be late on a
 * busy machine: a count of zero alone does not prove that the interrupt has come.
 */
#include "hosting/monitor/guest/time.h"
#include "kernel/interrupt/apic.h"
#include "kernel/register/instructions.h"

#define BY_1 0xb /* in the divide register */
#define BY_128 0xa
#define COUNT_MOST 0xffffffffull
#define SOONEST_NS 200000u /* least delay of the next look while time is withheld, as its rate is then unknown */

/* ---- The clock, which one CPU at a time reads or changes */

static struct clock shared;
static u32 keeper; /* that CPU's number, counted from 1 */

static void take(const struct vcpu *v)
{
    u32 nobody = 0;
    while (!__atomic_compare_exchange_n(&keeper, &nobody, v->cpu + 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        nobody = 0;
        cpu_pause();
    }
}

static void give(void)
{
    __atomic_store_n(&keeper, 0, __ATOMIC_RELEASE);
}

/* An NMI came while the in-guest half was reading the clock. */
static bool looks_already(const struct vcpu *v)
{
    return __atomic_load_n(&keeper, __ATOMIC_RELAXED) == v->cpu + 1;
}

/* Inside the guest RDTSC adds the guest's offset. */
static u64 machine_time(const struct vcpu *v)
{
    return v->exiting ? rdtsc() : rdtsc() - v->vmcb->tsc_offset;
}

/* Returns what the clock shows. */
static u64 pass(struct vcpu *v)
{
    take(v);
    clock_pass(&shared, &v->clock, clock_withheld(&shared) ? 0 : machine_time(v), model_ticks(v->model));
    u64 now = shared.now;
    give();
    return now;
}

void guest_time_start(void)
{
    clock_start(&shared, rdtsc());
}

/* ---- The timer */

static u32 vector_of(u32 entry)
{
    return entry & (u32)LVT_VECTOR_MASK;
}

static void request(struct vcpu *v)
{
    u32 command = (u32)(ICR_SELF | ICR_ASSERT) | vector_of(v->clock.timer.entry);
    v->requested = REQUESTED;
    v->requested_vector = (u8)command;
    if (v->exiting)
        apic_page_write(APIC_ICR, command);
    else
        v->timer.due = command;
}

static bool entry_written(const struct vcpu *v, u32 registers)
{
    return apic_page_tells(registers, (u8)vector_of(v->clock.timer.entry));
}

/* Has all time since the timer was set passed as on the machine? */
static bool is_exact(const struct vcpu *v)
{
    return !clock_withheld(&shared) && v->timer.apart == shared.apart;
}

/*
 * The machine's timer has interrupted: was the guest's due? If the guest has set its timer again since, the earlier
 * setting has come. One look at the clock both decides and acts, as other CPUs advance it meanwhile.
 */
static bool came(struct vcpu *v, bool exact)
{
    u64 now = pass(v);
    bool same = v->timer.end == v->clock.timer.end, due = exact || (same && clock_timer_reached(&v->clock.timer, now));
    v->timer.set = false;
    if (same && due)
        clock_timer_over(&v->clock.timer, now);
    return due;
}

/*
 * Has the machine's timer interrupted? An interrupt that was requested or in service when the timer was set proves
 * nothing until that bit has been seen clear.
 */
static void note(struct vcpu *v, bool exact)
{
    bool requested = entry_written(v, APIC_IRR), in_service = entry_written(v, APIC_ISR);
    bool new = (requested && !v->timer.requested) || (in_service && !v->timer.in_service);
    v->timer.requested &= requested;
    v->timer.in_service &= in_service;
    if (new && !apic_page_read(APIC_TIMER_CURRENT))
        came(v, exact);
}

static void stop_machine(struct vcpu *v)
{
    if (!v->timer.set)
        return;
    apic_page_write(APIC_TIMER_INITIAL, 0);
    note(v, is_exact(v)); /* it may have come until just now */
    v->timer.set = false;
}

/* Waits that the counter cannot hold, above nine minutes, are interrupted early. */
static void set_machine(struct vcpu *v, u64 now)
{
    u64 ns = clock_ns(clock_timer_left(&v->clock.timer, now), v->setup.tsc_khz);
    if (clock_withheld(&shared) && ns < SOONEST_NS)
        ns = SOONEST_NS;
    bool long_one = ns > COUNT_MOST;
    u64 count = long_one ? ns / 128 : ns;
    v->timer.set = true;
    v->timer.end = v->clock.timer.end;
    v->timer.entry = v->clock.timer.entry;
    v->timer.apart = shared.apart;
    v->timer.requested = entry_written(v, APIC_IRR);
    v->timer.in_service = entry_written(v, APIC_ISR);
    apic_page_write(APIC_LVT_TIMER, vector_of(v->timer.entry));
    apic_page_write(APIC_TIMER_DIVIDE, long_one ? BY_128 : BY_1);
    apic_page_write(APIC_TIMER_INITIAL, count < COUNT_MOST ? (u32)count + 1 : (u32)COUNT_MOST);
}

static void poll(struct vcpu *v, u64 now)
{
    if (!clock_timer_reached(&v->clock.timer, now))
        return;
    bool interrupts = clock_timer_awaited(&v->clock.timer);
    clock_timer_over(&v->clock.timer, now); /* first: the request may lead here again */
    if (interrupts)
        request(v);
}

/* An interrupt that is too early is found out when it comes, unless the guest takes it without an exit. */
static bool set_already(const struct vcpu *v)
{
    return v->timer.set && v->timer.end == v->clock.timer.end && v->timer.entry == v->clock.timer.entry &&
           (v->clock.way != CLOCK_ALONE || v->timer.apart == shared.apart);
}

/* Sets the machine's timer for the guest's next one. If that went off too early, waits out the rest. */
static void agree(struct vcpu *v, u64 now)
{
    bool by_machine = v->clock.way != CLOCK_STEPPED;
    if (by_machine && clock_timer_awaited(&v->clock.timer) && set_already(v))
        return;
    stop_machine(v);
    poll(v, now);
    if (by_machine && clock_timer_awaited(&v->clock.timer))
        set_machine(v, now);
}

/* ---- How the guest gets its time */

/* Not while another CPU is stepped, nor while an interrupt that is too early waits to be taken. */
static bool may_be_alone(const struct vcpu *v, bool waits)
{
    return !waits && shared.stepped == (v->clock.way == CLOCK_STEPPED);
}

static void go(struct vcpu *v, enum clock_way way)
{
    bool waits = v->timer.set && !is_exact(v) && !apic_page_read(APIC_TIMER_CURRENT);
    take(v);
    u64 machine = machine_time(v);
    clock_pass(&shared, &v->clock, machine, model_ticks(v->model));
    clock_go(&shared, &v->clock, way == CLOCK_ALONE && !may_be_alone(v, waits) ? CLOCK_ASKS : way, machine);
    v->vmcb->tsc_offset = clock_offset(&shared, &v->clock);
    u64 now = shared.now;
    give();
    agree(v, now);
}

void guest_time_init(struct vcpu *v)
{
    if (!keeps_time(v))
        return;
    if (!v->clock.timer.scale) {
        clock_cpu_start(&v->clock, v->setup.tsc_khz, model_apic_timer_khz(v->model));
        v->clock.adjust = model_tsc_ahead(v->model);
    }
    clock_timer_reset(&v->clock);
    go(v, CLOCK_AWAY);
}

void guest_time_exit(struct vcpu *v)
{
    if (!keeps_time(v) || looks_already(v))
        return;
    bool exact = is_exact(v); /* exact until it stops being alone */
    if (v->clock.way == CLOCK_ALONE) {
        take(v);
        clock_go(&shared, &v->clock, CLOCK_AWAY, machine_time(v));
        give();
    }
    if (exact && v->timer.set && (v->timer.requested || v->timer.in_service || !apic_page_read(APIC_TIMER_CURRENT)))
        note(v, exact);
}

void guest_time_enter(struct vcpu *v)
{
    if (keeps_time(v) && !looks_already(v))
        go(v, is_stepped(v) ? CLOCK_STEPPED : v->idle.behind && !v->vmcb->event_injection ? CLOCK_AWAY : CLOCK_ALONE);
}

void guest_time_sleep(struct vcpu *v, bool asleep)
{
    if (keeps_time(v))
        go(v, asleep || !is_stepped(v) ? CLOCK_AWAY : CLOCK_STEPPED);
}

bool guest_time_asks(const struct vcpu *v)
{
    return keeps_time(v) && v->clock.way == CLOCK_ASKS;
}

bool guest_time_unsure(const struct vcpu *v)
{
    return guest_time_asks(v) || (keeps_time(v) && v->timer.set && !is_exact(v));
}

/* If the interrupt had already been requested when the timer was set, both are one interrupt. */
bool guest_time_early(struct vcpu *v, u8 vector)
{
    if (!keeps_time(v) || !v->timer.set || vector != vector_of(v->timer.entry))
        return false;
    bool other = v->timer.requested, exact = is_exact(v);
    v->timer.requested = false;
    if (apic_page_read(APIC_TIMER_CURRENT))
        return false;
    return !came(v, exact) && !other;
}

void guest_time_poll(struct vcpu *v)
{
    if (keeps_time(v))
        poll(v, pass(v));
}

bool guest_time_lose(struct vcpu *v, u32 ticks)
{
    take(v);
    bool lost = clock_lose(&shared, &v->clock, ticks);
    give();
    return lost;
}

/* ---- What the guest reads */

u64 guest_time_tsc(struct vcpu *v)
{
    return pass(v) + v->clock.adjust;
}

bool guest_time_owns(const struct vcpu *v, u32 msr)
{
    return keeps_time(v) && (msr == MSR_TIME_STAMP_COUNTER || msr == MSR_TSC_ADJUST);
}

bool guest_time_rdmsr(struct vcpu *v, u32 msr, u64 *value)
{
    *value = msr == MSR_TSC_ADJUST ? v->clock.adjust : guest_time_tsc(v);
    return msr != MSR_TSC_ADJUST || model_has_tsc_adjust(v->model);
}

bool guest_time_wrmsr(struct vcpu *v, u32 msr, u64 value)
{
    if (msr == MSR_TSC_ADJUST && !model_has_tsc_adjust(v->model))
        return false;
    v->clock.adjust = msr == MSR_TSC_ADJUST ? value : value - pass(v);
    return true;
}

bool guest_time_owns_apic(const struct vcpu *v, u32 offset)
{
    return keeps_time(v) && clock_timer_owns(offset);
}

u32 guest_time_apic_read(struct vcpu *v, u32 offset)
{
    return clock_timer_read(&v->clock.timer, offset, pass(v));
}

void guest_time_apic_write(struct vcpu *v, u32 offset, u32 value)
{
    u64 now = pass(v);
    poll(v, now);
    clock_timer_write(&v->clock.timer, offset, value, now);
}
