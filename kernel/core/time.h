/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Time from the TSC. All waits of the image use a deadline, so that none is endless. Each CPU has its own TSC, which
 * firmware may have set: a time, a deadline or an allowance is valid only on the CPU that took it, as the offsets to
 * the other CPUs' TSCs are not known in advance (kernel/cpu/tsc_apart.h).
 */
#pragma once

#include "boot/bits.h"

/* The machine has slept, and the TSC may have begun anew: from here on it is no earlier than `before`. */
void time_resume(u64 before);
/*
 * Sets the TSC's rate and the clock that it was measured with (kernel/firmware/calibrate.h). Until then the fastest TSC
 * is assumed, so that no wait is too short.
 */
void time_calibrated(u64 khz, const char *source);

u64 time_now(void);     /* TSC ticks (RDTSC after LFENCE) */
u64 time_tsc_khz(void); /* calibrated TSC frequency */
/*
 * Where the TSC's rate comes from: "cpuid-15", "hpet", "pm-timer", "pit"; "cpuid-16" and "platform-info" are the CPU's
 * own statement, not measured; "assumed" if there is no source.
 */
const char *time_source(void);
bool time_assumed(void); /* no clock gave the rate: reported times mean nothing */

u64 time_us(u64 ticks);     /* ticks to microseconds, rounded down */
u64 time_ticks(u64 us);     /* microseconds to ticks */
u64 time_uptime_ms(void);   /* milliseconds since the image started, on the boot CPU */
void time_delay_us(u64 us); /* busy wait */

/* A clock's count and the TSC at the same moment, as nearly as possible. */
struct moment {
    u64 tsc;
    u32 count;
};
struct moment time_moment(u32 (*read)(void));

/* A bound in both time and iterations: a stopped TSC cannot make a wait endless. */
struct deadline {
    u64 end;
    u64 tries;
};
struct deadline deadline_us(u64 us);
/* True once the deadline has passed. Call it in the loop: each call counts as an iteration and pauses. */
bool deadline_passed(struct deadline *deadline);

/* A deadline that also waits for a thousand looks: a host may take the CPU away for any length of time. */
struct patience {
    struct deadline deadline;
    u32 looks, least;
};
struct patience patience_us(u64 us);
/* For looks that themselves do what is waited for, and take long: at least so many. */
struct patience patience_looks(u64 us, u32 least);
/* True once both are over. Call it once per look, in the loop. */
bool patience_over(struct patience *patience);
