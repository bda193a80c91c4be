/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How far the TSCs of the CPUs are from the boot CPU's. Firmware may have written one, or sockets left reset one after
 * another: Linux then calls the TSC unstable. A measurement, not a verdict: the tests only compare times that the same
 * CPU took. SDM 3B, "Time-Stamp Counter" and "IA32_TSC_ADJUST Support".
 */
#pragma once

#include "boot/bits.h"

/* One question to another CPU and its answer: `asked` and `heard` in the asking CPU's ticks, `answered` in the
 * other's. */
struct tsc_round {
    u64 asked, answered, heard;
};

struct tsc_apart {
    bool known;
    s64 ticks;      /* by how much the other TSC is ahead */
    u64 bound;      /* the greatest error of `ticks` */
    bool adjusts;   /* IA32_TSC_ADJUST exists */
    u64 adjustment; /* the value of IA32_TSC_ADJUST */
};

/* Takes a round. The answer came between question and arrival, so the shortest round is the most exact one. Pure. */
void tsc_apart_take(struct tsc_apart *best, struct tsc_round round);
/* Is the difference far larger than the error of the measurement explains? Pure. */
bool tsc_apart_far(const struct tsc_apart *apart);
/* May one line describe both CPUs? True if neither is far apart, or both by the same amount within the error. Pure. */
bool tsc_apart_alike(const struct tsc_apart *a, const struct tsc_apart *b);

/* Measures all started CPUs in turn, some microseconds each. Call on the boot CPU, with the others idle. */
void tsc_apart_measure(void);
/* For a CPU below cpu_count(); `known` is false if it did not answer in time. */
const struct tsc_apart *tsc_apart_of(u32 cpu);
