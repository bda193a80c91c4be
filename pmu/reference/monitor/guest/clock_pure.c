#include "boot/cpu.h"
#include "pmu/reference/monitor/guest/clock.h"

#define TIMER_PERIODIC BIT(17)
#define FRACTION_BITS 32
#define NS_A_MS 1000000ull

/* Of a product that may need more than 64 bits, all but the fraction, rounded up. */
static u64 scaled_up(u64 a, u64 b)
{
    unsigned __int128 product = (unsigned __int128)a * b + (MASK(FRACTION_BITS - 1, 0));
    return (u64)(product >> FRACTION_BITS);
}

void clock_start(struct clock *c, u32 tsc_khz, u32 timer_khz, u64 machine, u64 model)
{
    *c = (struct clock){
        .machine = machine,
        .model = model,
        .timer_scale = ((u64)tsc_khz << FRACTION_BITS) / timer_khz,
        .timer = {.entry = LVT_MASKED},
    };
}

void clock_pass(struct clock *c, u64 machine, u64 model)
{
    if (c->runs && machine > c->machine)
        c->now += machine - c->machine;
    c->now += model - c->model;
    c->machine = machine;
    c->model = model;
}

void clock_runs(struct clock *c, bool runs)
{
    c->runs = runs;
}

/* ---- TSC */

u64 clock_tsc(const struct clock *c)
{
    return c->now + c->adjust;
}

void clock_set_tsc(struct clock *c, u64 tsc)
{
    c->adjust = tsc - c->now;
}

void clock_set_adjust(struct clock *c, u64 adjust)
{
    c->adjust = adjust;
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

static u64 ticks_of(const struct clock *c, u32 count)
{
    return scaled_up((u64)count << divisor_shift(c->timer.divide), c->timer_scale);
}

static u32 current(const struct clock *c)
{
    u64 one = c->timer_scale << divisor_shift(c->timer.divide);
    unsigned __int128 left = (unsigned __int128)clock_timer_left(c) << FRACTION_BITS;
    u64 count = 0;
    if (!c->timer.armed)
        return 0;
    /* Division by 64 bits, digit by digit: there is no wider one here. */
    for (unsigned bit = 32; bit--;)
        if ((unsigned __int128)one * (count + BIT(bit)) <= left)
            count += BIT(bit);
    return (u32)count;
}

static void arm(struct clock *c, u32 count)
{
    c->timer.armed = count;
    c->timer.end = c->now + ticks_of(c, count);
}

u32 clock_timer_read(const struct clock *c, u32 offset)
{
    switch (offset) {
    case APIC_LVT_TIMER:
        return c->timer.entry;
    case APIC_TIMER_INITIAL:
        return c->timer.initial;
    case APIC_TIMER_CURRENT:
        return current(c);
    default:
        return c->timer.divide;
    }
}

/* The count goes on at the new rate when the divisor is changed. The current count cannot be written. */
void clock_timer_write(struct clock *c, u32 offset, u32 value)
{
    u32 left = current(c);
    switch (offset) {
    case APIC_LVT_TIMER:
        c->timer.entry = value;
        break;
    case APIC_TIMER_INITIAL:
        c->timer.initial = value;
        arm(c, value);
        break;
    case APIC_TIMER_DIVIDE:
        if (value == c->timer.divide)
            break;
        c->timer.divide = value;
        arm(c, left);
        break;
    }
}

u64 clock_timer_left(const struct clock *c)
{
    return c->timer.armed && c->timer.end > c->now ? c->timer.end - c->now : 0;
}

bool clock_timer_reached(const struct clock *c)
{
    return c->timer.armed && c->timer.end <= c->now;
}

/* A periodic one that went round more than once has one interrupt to show for it, as in the local APIC. */
void clock_timer_over(struct clock *c)
{
    u64 period = ticks_of(c, c->timer.initial);
    c->timer.armed = c->timer.entry & TIMER_PERIODIC && period;
    if (!c->timer.armed)
        return;
    u64 late = c->now > c->timer.end ? c->now - c->timer.end : 0;
    c->timer.end += (late / period + 1) * period;
}

bool clock_timer_awaited(const struct clock *c)
{
    return c->timer.armed && !(c->timer.entry & LVT_MASKED);
}

u64 clock_ns(u64 ticks, u32 tsc_khz)
{
    return ticks / tsc_khz * NS_A_MS + ticks % tsc_khz * NS_A_MS / tsc_khz;
}
