/*
 * How far the TSCs of the CPUs are from the boot CPU's. Firmware may have written one, or sockets left reset one after
 * another: Linux then calls the TSC unstable. A measurement, no verdict: times are compared by the CPU that took them
 * alone. SDM 3B, "Time-Stamp Counter" and "IA32_TSC_ADJUST Support".
 */
#pragma once

#include "boot/bits.h"

/* One question to another CPU and its answer, in ticks: of the asking CPU, the answering one, the asking one. */
struct tsc_round {
    u64 asked, answered, heard;
};

struct tsc_apart {
    bool known;
    s64 ticks;      /* by which the other TSC is ahead */
    u64 bound;      /* of the error of that */
    bool adjusts;   /* IA32_TSC_ADJUST exists */
    u64 adjustment; /* what it reads */
};

/* The answer was given some time between the question and its arrival: the shortest round tells most. Pure. */
void tsc_apart_take(struct tsc_apart *best, struct tsc_round round);
/* Is that more than how it was measured can explain, by far? Pure. */
bool tsc_apart_far(const struct tsc_apart *apart);
/* May one line tell of both? Nothing is far apart, or both by as much, as far as was measured. Pure. */
bool tsc_apart_alike(const struct tsc_apart *a, const struct tsc_apart *b);

/* Measures all CPUs that have started, one after the other, some microseconds each. Boot CPU, the others idle. */
void tsc_apart_measure(void);
/* Of a CPU below cpu_count(): not known if it did not answer in time. */
const struct tsc_apart *tsc_apart_of(u32 cpu);
