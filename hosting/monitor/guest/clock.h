/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A guest's clock and its local APICs' timers, as numbers: one clock for all of its CPUs, from which their TSCs, time
 * stamps and timers follow. Pure: the caller passes what the machine's clock and the CPU's model show.
 *
 * While no CPU is stepped the clock follows the machine's, so that it agrees with the machine's other clocks. While one
 * is stepped, the machine's time is spent in the monitor and is withheld: the clock then advances by the time that the
 * model computes for the instructions of the CPU that is ahead, so that reference cycles and TSC agree. A CPU that
 * reads the machine's TSC by itself, at an offset, cannot follow that: time is withheld only while there is no such
 * CPU.
 *
 * No reading is less than an earlier one, on whatever CPU, provided that one CPU at a time changes the clock and reads
 * the machine's clock only while it may change this one.
 */
#pragma once

#include "boot/bits.h"

struct clock {
    u64 now;            /* ticks since it started, when it was last updated */
    u64 apart;          /* the machine's clock minus `now`, while no time is withheld */
    u64 since;          /* `now` when withholding last began */
    u32 stepped, alone; /* numbers of CPUs: stepped ones, and those that read the machine's clock by themselves */
};

/* How a CPU gets its time. */
enum clock_way {
    CLOCK_AWAY,   /* asleep, or in the monitor: it reads no clock */
    CLOCK_ALONE,  /* unstepped, reads the machine's clock at an offset */
    CLOCK_ASKS,   /* unstepped, each reading exits to the monitor */
    CLOCK_STEPPED /* stepped, each reading goes to the monitor, too */
};

/* One CPU's part of it. */
struct clock_cpu {
    enum clock_way way;
    u64 now;    /* by this CPU's instructions */
    u64 model;  /* what its model showed at the last clock_pass() */
    u64 adjust; /* IA32_TSC_ADJUST: the TSC minus the clock. SDM 3B, "IA32_TSC_ADJUST Support" */
    struct clock_timer {
        u64 scale;           /* clock ticks per undivided timer tick, in 2^-32 */
        u32 entry;           /* the LVT entry */
        u32 initial, divide; /* the registers */
        bool armed;
        u64 end; /* `now` at which it reaches zero */
    } timer;
};

/* A stepped CPU that is further behind another one, in ticks, is drawn along. */
#define CLOCK_BEHIND_MOST 10000

/* Starts the clock at 0, with no CPU. `machine` is what the machine's clock shows now. */
void clock_start(struct clock *c, u64 machine);
/* Another CPU, in CLOCK_AWAY. Frequencies in kHz, neither more than a thousand times the other. */
void clock_cpu_start(struct clock_cpu *cpu, u32 tsc_khz, u32 timer_khz);
/* As after INIT: the timer is masked and stopped. The TSC goes on. */
void clock_timer_reset(struct clock_cpu *cpu);
/* Brings the clock up to now, which the machine's clock and this CPU's model show. */
void clock_pass(struct clock *c, struct clock_cpu *cpu, u64 machine, u64 model);
/* Changes how this CPU gets its time. Time up to now is final: clock_pass() comes first. */
void clock_go(struct clock *c, struct clock_cpu *cpu, enum clock_way way, u64 machine);
/* Is the machine's time withheld? */
bool clock_withheld(const struct clock *c);
/* Moves the clock of a CPU that is not CLOCK_ALONE on at once. False: another CPU is, and could not follow. */
bool clock_lose(struct clock *c, struct clock_cpu *cpu, u64 ticks);

/* The offset between the machine's TSC and this CPU's, for a CPU in CLOCK_ALONE. */
u64 clock_offset(const struct clock *c, const struct clock_cpu *cpu);

/* The timer's registers, by their offset in the APIC's page, when the clock shows `now`. SDM 3A, "APIC Timer". */
bool clock_timer_owns(u32 offset);
u32 clock_timer_read(const struct clock_timer *t, u32 offset, u64 now);
void clock_timer_write(struct clock_timer *t, u32 offset, u32 value, u64 now);
/* Has it reached zero? clock_timer_over() then stops it, or restarts a periodic one. */
bool clock_timer_reached(const struct clock_timer *t, u64 now);
void clock_timer_over(struct clock_timer *t, u64 now);
/* Will it interrupt? And in how many ticks; 0: it has reached zero. */
bool clock_timer_awaited(const struct clock_timer *t);
u64 clock_timer_left(const struct clock_timer *t, u64 now);
/* Ticks as nanoseconds. */
u64 clock_ns(u64 ticks, u32 tsc_khz);
