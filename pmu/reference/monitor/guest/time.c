/*
 * When the machine's timer has reached zero, the guest takes the interrupt without an exit, so whether it has come is
 * told afterwards, by the interrupt that is requested or in service; and as it has to be ended at the APIC, there is an
 * exit before either is gone. QEMU's timer counts nanoseconds, and may be late on a busy machine: a count of zero alone
 * does not say that the interrupt has come.
 */
#include "pmu/reference/monitor/guest/time.h"
#include "kernel/cpu/apic.h"
#include "kernel/cpu/instructions.h"

#define BY_1 0xb /* in the divide register */
#define BY_128 0xa
#define COUNT_MOST 0xffffffffull
#define VECTORS_A_REGISTER 32u
#define REGISTER_STEP 0x10u

/* The in-guest half runs only while the guest is stepped, when the machine's time is not asked for. */
static void pass(struct vcpu *v)
{
    clock_pass(&v->clock, v->exiting ? rdtsc() : v->clock.machine, model_ticks(v->model));
}

void guest_time_start(struct vcpu *v)
{
    clock_start(&v->clock, v->setup.tsc_khz, model_apic_timer_khz(v->model), rdtsc(), model_ticks(v->model));
}

/* ---- The timer */

static u32 vector_of(const struct vcpu *v)
{
    return v->clock.timer.entry & (u32)LVT_VECTOR_MASK;
}

static void request(struct vcpu *v)
{
    u32 command = (u32)(ICR_SELF | ICR_ASSERT) | vector_of(v);
    v->requested = true;
    if (v->exiting)
        apic_page_write(APIC_ICR, command);
    else
        v->timer.due = command;
}

static bool told_at(const struct vcpu *v, u32 registers)
{
    u32 vector = vector_of(v);
    return apic_page_read(registers + vector / VECTORS_A_REGISTER * REGISTER_STEP) >> vector % VECTORS_A_REGISTER & 1;
}

/*
 * Has the machine's timer interrupted? What was requested or in service when it was set says nothing, until it has been
 * seen to be so no longer.
 */
static void note(struct vcpu *v)
{
    bool requested = told_at(v, APIC_IRR), in_service = told_at(v, APIC_ISR);
    bool came = (requested && !v->timer.requested) || (in_service && !v->timer.in_service);
    v->timer.requested &= requested;
    v->timer.in_service &= in_service;
    if (!came || apic_page_read(APIC_TIMER_CURRENT))
        return;
    v->timer.set = false;
    clock_timer_over(&v->clock);
}

static void stop_machine(struct vcpu *v)
{
    if (!v->timer.set)
        return;
    apic_page_write(APIC_TIMER_INITIAL, 0);
    note(v); /* it may have come until just now */
    v->timer.set = false;
}

/* For as long as can be: whoever waits for longer than nine minutes is interrupted early. */
static void set_machine(struct vcpu *v)
{
    u64 ns = clock_ns(clock_timer_left(&v->clock), v->setup.tsc_khz);
    bool long_one = ns > COUNT_MOST;
    u64 count = long_one ? ns / 128 : ns;
    v->timer.set = true;
    v->timer.end = v->clock.timer.end;
    v->timer.entry = v->clock.timer.entry;
    v->timer.requested = told_at(v, APIC_IRR);
    v->timer.in_service = told_at(v, APIC_ISR);
    apic_page_write(APIC_LVT_TIMER, vector_of(v));
    apic_page_write(APIC_TIMER_DIVIDE, long_one ? BY_128 : BY_1);
    apic_page_write(APIC_TIMER_INITIAL, count < COUNT_MOST ? (u32)count + 1 : (u32)COUNT_MOST);
}

static void poll(struct vcpu *v)
{
    if (!clock_timer_reached(&v->clock))
        return;
    bool interrupts = clock_timer_awaited(&v->clock);
    clock_timer_over(&v->clock); /* before it is requested, which may lead here again */
    if (interrupts)
        request(v);
}

static bool set_already(const struct vcpu *v)
{
    return v->timer.set && v->timer.end == v->clock.timer.end && v->timer.entry == v->clock.timer.entry;
}

/* It was set for less time than there was if it is late: then it is waited for. */
static void agree(struct vcpu *v)
{
    if (v->clock.runs && clock_timer_awaited(&v->clock) && set_already(v))
        return;
    stop_machine(v);
    poll(v);
    if (v->clock.runs && clock_timer_awaited(&v->clock))
        set_machine(v);
}

/* ---- The guest's way */

void guest_time_exit(struct vcpu *v)
{
    if (!keeps_time(v))
        return;
    pass(v);
    if (v->timer.set && (v->timer.requested || v->timer.in_service || !apic_page_read(APIC_TIMER_CURRENT)))
        note(v);
}

static void run(struct vcpu *v, bool runs)
{
    pass(v);
    clock_runs(&v->clock, runs);
    agree(v);
    v->vmcb->tsc_offset = clock_tsc(&v->clock) - v->clock.machine; /* as it runs by itself */
}

void guest_time_enter(struct vcpu *v)
{
    if (keeps_time(v))
        run(v, !is_stepped(v));
}

void guest_time_sleep(struct vcpu *v, bool asleep)
{
    if (keeps_time(v))
        run(v, asleep || !is_stepped(v));
}

void guest_time_poll(struct vcpu *v)
{
    if (!keeps_time(v) || !v->clock.timer.armed)
        return;
    pass(v);
    poll(v);
}

void guest_time_lose(struct vcpu *v, u32 ticks)
{
    v->clock.now += ticks;
}

/* ---- What it reads */

u64 guest_time_tsc(struct vcpu *v)
{
    pass(v);
    return clock_tsc(&v->clock);
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
    pass(v);
    if (msr == MSR_TSC_ADJUST)
        clock_set_adjust(&v->clock, value);
    else
        clock_set_tsc(&v->clock, value);
    return true;
}

bool guest_time_owns_apic(const struct vcpu *v, u32 offset)
{
    return keeps_time(v) && clock_timer_owns(offset);
}

u32 guest_time_apic_read(struct vcpu *v, u32 offset)
{
    pass(v);
    return clock_timer_read(&v->clock, offset);
}

void guest_time_apic_write(struct vcpu *v, u32 offset, u32 value)
{
    pass(v);
    poll(v);
    clock_timer_write(&v->clock, offset, value);
}
