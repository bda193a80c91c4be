/* SPDX-License-Identifier: BSD-2-Clause */
#include "hosting/monitor/guest/clock.h"
#include "boot/cpu.h"

#define TIMER_PERIODIC BIT(17)
#define FRACTION_BITS 32
#define NS_A_MS 1000000ull

/* The product, which may need more than 64 bits, without its fraction bits, rounded up. */
static u64 scaled_up(u64 a, u64 b)
{
    unsigned __int128 product = (unsigned __int128)a * b + (MASK(FRACTION_BITS - 1, 0));
    return (u64)(product >> FRACTION_BITS);
}

void clock_start(struct clock *c, u64 machine)
{
    *c = (struct clock){.apart = machine};
}

void clock_cpu_start(struct clock_cpu *cpu, u32 tsc_khz, u32 timer_khz)
{
    *cpu = (struct clock_cpu){.timer.scale = ((u64)tsc_khz << FRACTION_BITS) / timer_khz};
    clock_timer_reset(cpu);
}

void clock_timer_reset(struct clock_cpu *cpu)
{
    cpu->timer = (struct clock_timer){.scale = cpu->timer.scale, .entry = LVT_MASKED};
}

bool clock_withheld(const struct clock *c)
{
    return c->stepped && !c->alone;
}

static u64 later(u64 a, u64 b)
{
    return a > b ? a : b;
}

/* By the machine's clock, but never back. */
static void pass_by_machine(struct clock *c, u64 machine)
{
    u64 now = machine - c->apart;
    if ((s64)(now - c->now) > 0)
        c->now = now;
}

/*
 * Of several stepped CPUs the one ahead tells the time. They start together; one that is far behind is drawn along, or
 * the time would stand still while it catches up after the others have stopped.
 */
static void pass_by_model(struct clock *c, struct clock_cpu *cpu, u64 ticks)
{
    cpu->now = later(cpu->now, c->since);
    if (c->now > CLOCK_BEHIND_MOST)
        cpu->now = later(cpu->now, c->now - CLOCK_BEHIND_MOST);
    cpu->now += ticks;
    c->now = later(c->now, cpu->now);
}

void clock_pass(struct clock *c, struct clock_cpu *cpu, u64 machine, u64 model)
{
    u64 ticks = model - cpu->model;
    cpu->model = model;
    if (!clock_withheld(c)) {
        pass_by_machine(c, machine);
        cpu->now = c->now;
    } else if (cpu->way == CLOCK_STEPPED) {
        pass_by_model(c, cpu, ticks);
    }
}

/* However long time was withheld, the clock goes on from where it is. */
void clock_go(struct clock *c, struct clock_cpu *cpu, enum clock_way way, u64 machine)
{
    bool was = clock_withheld(c);
    if (!was)
        pass_by_machine(c, machine);
    c->stepped += (way == CLOCK_STEPPED) - (cpu->way == CLOCK_STEPPED);
    c->alone += (way == CLOCK_ALONE) - (cpu->way == CLOCK_ALONE);
    if (way == CLOCK_STEPPED && cpu->way != CLOCK_STEPPED)
        cpu->now = c->now;
    cpu->way = way;
    if (was && !clock_withheld(c))
        c->apart = machine - c->now;
    if (!was && clock_withheld(c))
        c->since = c->now;
}

bool clock_lose(struct clock *c, struct clock_cpu *cpu, u64 ticks)
{
    if (c->alone)
        return false;
    cpu->now += ticks;
    c->now += ticks;
    c->apart -= ticks;
    return true;
}

/* ---- TSC */

u64 clock_offset(const struct clock *c, const struct clock_cpu *cpu)
{
    return cpu->adjust - c->apart;
}

/* ---- Timer */

bool clock_timer_owns(u32 offset)
{
    return offset == APIC_LVT_TIMER || offset == APIC_TIMER_INITIAL || offset == APIC_TIMER_CURRENT ||
           offset == APIC_TIMER_DIVIDE;
}

/* Bits 3, 1 and 0 of the divide register: by 2, 4, 8, 16, 32, 64, 128, 1. */
static unsigned divisor_shift(u32 divide)
{
    return (((divide >> 1 & 4) | (divide & 3)) + 1) % 8;
}

static u64 ticks_of(const struct clock_timer *t, u32 count)
{
    return scaled_up((u64)count << divisor_shift(t->divide), t->scale);
}

static u32 current(const struct clock_timer *t, u64 now)
{
    u64 one = t->scale << divisor_shift(t->divide);
    unsigned __int128 left = (unsigned __int128)clock_timer_left(t, now) << FRACTION_BITS;
    u64 count = 0;
    if (!t->armed)
        return 0;
    /* Division bit by bit: there is no 128-bit division here. */
    for (unsigned bit = 32; bit--;)
        if ((unsigned __int128)one * (count + BIT(bit)) <= left)
            count += BIT(bit);
    return (u32)count;
}

static void arm(struct clock_timer *t, u32 count, u64 now)
{
    t->armed = count;
    t->end = now + ticks_of(t, count);
}

u32 clock_timer_read(const struct clock_timer *t, u32 offset, u64 now)
{
    switch (offset) {
    case APIC_LVT_TIMER:
        return t->entry;
    case APIC_TIMER_INITIAL:
        return t->initial;
    case APIC_TIMER_CURRENT:
        return current(t, now);
    default:
        return t->divide;
    }
}

/* The count goes on at the new rate when the divisor is changed. The current count cannot be written. */
void clock_timer_write(struct clock_timer *t, u32 offset, u32 value, u64 now)
{
    u32 left = current(t, now);
    switch (offset) {
    case APIC_LVT_TIMER:
        t->entry = value;
        break;
    case APIC_TIMER_INITIAL:
        t->initial = value;
        arm(t, value, now);
        break;
    case APIC_TIMER_DIVIDE:
        if (value == t->divide)
            break;
        t->divide = value;
        arm(t, left, now);
        break;
    }
}

u64 clock_timer_left(const struct clock_timer *t, u64 now)
{
    return t->armed && t->end > now ? t->end - now : 0;
}

bool clock_timer_reached(const struct clock_timer *t, u64 now)
{
    return t->armed && t->end <= now;
}

/* A periodic timer that has run out more than once raises one interrupt, as in the local APIC. */
void clock_timer_over(struct clock_timer *t, u64 now)
{
    u64 period = ticks_of(t, t->initial);
    t->armed = t->entry & TIMER_PERIODIC && period;
    if (!t->armed)
        return;
    u64 late = now > t->end ? now - t->end : 0;
    t->end += (late / period + 1) * period;
}

bool clock_timer_awaited(const struct clock_timer *t)
{
    return t->armed && !(t->entry & LVT_MASKED);
}

u64 clock_ns(u64 ticks, u32 tsc_khz)
{
    return ticks / tsc_khz * NS_A_MS + ticks % tsc_khz * NS_A_MS / tsc_khz;
}
