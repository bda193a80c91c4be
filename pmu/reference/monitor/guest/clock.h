/*
 * A guest's clock and the timers of its local APICs, as numbers: one clock for all of its CPUs, from which their TSCs,
 * their time stamps and their timers are told. Pure: the caller says what the clocks show that it goes by.
 *
 * It goes by two. As long as no CPU is stepped it goes by the machine's, so that it agrees with the machine's other
 * clocks. While one is stepped, that time is the monitor's: then it goes by what the model says that the instructions
 * of the CPU that is ahead take, so that reference cycles and TSC are one. A CPU that reads the machine's TSC by
 * itself, an offset apart, cannot follow that: time is withheld only while there is none.
 *
 * No reading is less than one before it, on whatever CPU, as long as one CPU at a time changes it, and reads the
 * machine's clock only once it is the one.
 */
#pragma once

#include "boot/bits.h"

struct clock {
    u64 now;            /* ticks since it started, when they were last looked at */
    u64 apart;          /* by which the machine's clock is ahead, while no time is withheld */
    u64 since;          /* what the machine's clock showed when withholding last began */
    u32 stepped, alone; /* CPUs that are, and that read the machine's clock by themselves */
};

/* What a CPU does. */
enum clock_way {
    CLOCK_AWAY,   /* asleep, or in the monitor: it reads nothing */
    CLOCK_ALONE,  /* runs by itself, and reads the machine's clock, an offset apart */
    CLOCK_ASKS,   /* runs by itself, and asks for each reading */
    CLOCK_STEPPED /* and asks, too */
};

/* One CPU's part of it. */
struct clock_cpu {
    enum clock_way way;
    u64 now;    /* as this CPU's instructions count */
    u64 model;  /* what its model showed last */
    u64 adjust; /* IA32_TSC_ADJUST: the TSC, less the clock. SDM 3B, "IA32_TSC_ADJUST Support" */
    struct clock_timer {
        u64 scale;           /* ticks for one of its own, undivided, in 2^-32 */
        u32 entry;           /* of the local vector table */
        u32 initial, divide; /* its registers */
        bool armed;
        u64 end; /* when it reaches zero */
    } timer;
};

/* By how many ticks a CPU that is stepped may be behind another one, and is not drawn along. */
#define CLOCK_BEHIND_MOST 10000

/* Started at 0, with no CPU. What the machine shows now. */
void clock_start(struct clock *c, u64 machine);
/* Another CPU, away. Frequencies in kHz, none more than a thousand times the other. */
void clock_cpu_start(struct clock_cpu *cpu, u32 tsc_khz, u32 timer_khz);
/* As after INIT: a timer that is masked and stands still. The TSC goes on. */
void clock_timer_reset(struct clock_cpu *cpu);
/* Up to now, as the machine and this CPU's model show it. */
void clock_pass(struct clock *c, struct clock_cpu *cpu, u64 machine, u64 model);
/* This CPU's clock goes another way from now on. Time up to now is final: clock_pass() comes first. */
void clock_go(struct clock *c, struct clock_cpu *cpu, enum clock_way way, u64 machine);
/* Is the machine's time withheld? */
bool clock_withheld(const struct clock *c);
/* Takes ticks from a CPU that is not alone; false: they cannot be taken, as another CPU would not follow. */
bool clock_lose(struct clock *c, struct clock_cpu *cpu, u64 ticks);

/* What a CPU that reads the machine's clock by itself adds to it for its TSC. */
u64 clock_offset(const struct clock *c, const struct clock_cpu *cpu);

/* The timer's registers, by their offset in the APIC's page, at a moment of the clock. SDM 3A, "APIC Timer". */
bool clock_timer_owns(u32 offset);
u32 clock_timer_read(const struct clock_timer *t, u32 offset, u64 now);
void clock_timer_write(struct clock_timer *t, u32 offset, u32 value, u64 now);
/* Has it reached zero? Once told, it is over, or begins anew if it is periodic. */
bool clock_timer_reached(const struct clock_timer *t, u64 now);
void clock_timer_over(struct clock_timer *t, u64 now);
/* Will it interrupt? And how many ticks from now; 0: it has reached zero. */
bool clock_timer_awaited(const struct clock_timer *t);
u64 clock_timer_left(const struct clock_timer *t, u64 now);
/* Ticks as nanoseconds. */
u64 clock_ns(u64 ticks, u32 tsc_khz);
