/*
 * A guest's clock and the timer of its local APIC, as numbers: one clock, from which its TSC, its time stamps and its
 * timer are told. Pure: whoever has the clocks that it goes by says what they show.
 *
 * It goes by two. What instructions take that are reported to the model is always added, so that reference cycles and
 * TSC are one. While the guest runs by itself, or sleeps, the time of the machine is added too, so that it agrees with
 * the machine's other clocks. While it is stepped, that time is the monitor's.
 */
#pragma once

#include "boot/bits.h"

struct clock {
    u64 now;            /* ticks of the guest's TSC since it started, whatever was written there */
    u64 adjust;         /* IA32_TSC_ADJUST */
    bool runs;          /* by itself: the machine's time is the guest's */
    u64 machine, model; /* what they showed last */
    u64 timer_scale;    /* ticks for one of the APIC timer's, undivided, in 2^-32 */
    struct clock_timer {
        u32 entry;           /* of the local vector table */
        u32 initial, divide; /* its registers */
        bool armed;
        u64 end; /* when it reaches zero */
    } timer;
};

/* Started at 0, stopped. Frequencies in kHz, none more than a thousand times the other; what both show now. */
void clock_start(struct clock *c, u32 tsc_khz, u32 timer_khz, u64 machine, u64 model);
/* Up to now, as the machine and the model show it. */
void clock_pass(struct clock *c, u64 machine, u64 model);
/* From now on, up to which it has passed, the guest runs by itself, or does not. */
void clock_runs(struct clock *c, bool runs);

/* RDTSC and its MSRs, which are shifted together. SDM 3B, "IA32_TSC_ADJUST Support". */
u64 clock_tsc(const struct clock *c);
void clock_set_tsc(struct clock *c, u64 tsc);
void clock_set_adjust(struct clock *c, u64 adjust);

/* The timer's registers, by their offset in the APIC's page. SDM 3A, "APIC Timer". */
bool clock_timer_owns(u32 offset);
u32 clock_timer_read(const struct clock *c, u32 offset);
void clock_timer_write(struct clock *c, u32 offset, u32 value);
/* Has it reached zero? Once told, it is over, or begins anew if it is periodic. */
bool clock_timer_reached(const struct clock *c);
void clock_timer_over(struct clock *c);
/* Will it interrupt? And how many ticks from now; 0: it has reached zero. */
bool clock_timer_awaited(const struct clock *c);
u64 clock_timer_left(const struct clock *c);
/* Ticks as nanoseconds. */
u64 clock_ns(u64 ticks, u32 tsc_khz);
