/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Time from the TSC. All waits of the image use a deadline, so that none is endless. Each CPU has its own TSC, which
 * firmware may have set: a time, a deadline or an allowance is valid only on the CPU that took it, as the offsets to
 * the other CPUs' TSCs are not known in advance (kernel/cpu/cpus.h).
 */
#pragma once

#include "boot/bits.h"

/* The machine has slept, and the TSC may have begun anew: from here on it is no earlier than `before`. */
void time_resume(u64 before);
/*
 * Sets the TSC's rate and the clock that it was measured with (kernel/firmware/clock.h). Until then the fastest TSC
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

/* ---- Arithmetic of clocks. Pure. */

/*
 * The TSC's rate if it advanced by tsc_ticks while a clock of clock_hz advanced by clock_ticks; 0 if clock_ticks is 0.
 * tsc_ticks times clock_hz must fit in 64 bits: half a minute at 5 GHz against a clock of 100 MHz.
 */
u64 tsc_rate_khz(u64 tsc_ticks, u64 clock_ticks, u64 clock_hz);
/* The rate that CPUID leaf 15H states: crystal_hz * numerator / denominator; 0 if a part of it is not enumerated. */
u64 tsc_rate_crystal(u32 denominator, u32 numerator, u32 crystal_hz);
/* The rate that CPUID leaf 16H states in EAX, in kHz: "processor base frequency", to the MHz; 0 if not enumerated. */
u64 tsc_rate_base(u32 eax);
/*
 * The rate that MSR_PLATFORM_INFO's "maximum non-turbo ratio" states, for the CPU with this signature (CPUID.01H:EAX);
 * 0 if the CPU lacks that register, or its ratio is of another clock. SDM 4, by model.
 */
u64 tsc_rate_ratio(u32 signature, u64 platform_info);
/* Does an Intel CPU with this signature have the register, with a bus clock that is known as its unit? */
bool tsc_rate_has_ratio(u32 signature);
/* How far two rates are apart, in millionths of the larger one. */
u32 tsc_rate_apart_ppm(u64 a_khz, u64 b_khz);
/* Which of three rates lies between the other two: 0, 1 or 2. */
unsigned tsc_rate_median(const u64 khz[3]);
/* Ticks to microseconds and back, rounded down; without overflow for any uptime. */
u64 tsc_rate_us(u64 ticks, u64 khz);
u64 tsc_rate_ticks(u64 us, u64 khz);

/*
 * How long something may take. On hardware that is a time. On the reference PMU an instruction costs whatever the host
 * has left for it, from a third of a microsecond to many; but work can be counted there, so as long as work is done it
 * may take as much work as a machine of ordinary speed does in that time. Pure.
 */

struct allowance {
    u64 end;            /* in ticks */
    u64 next, interval; /* when to look at the work again; interval 0: work is not counted */
    u64 work_end, seen; /* in microseconds of a machine of ordinary speed */
    u32 still;          /* looks in a row that saw no work done */
};

/* Work in microseconds of a machine of ordinary speed: of all CPUs together, and of the CPU that has done most. */
struct work {
    u64 all, most;
};

/* An allowance of `us` microseconds of time (`ticks` of the TSC), and of as many microseconds of work. */
struct allowance allowance_counted(u64 now, u64 ticks, struct work work, u64 us);
/* An allowance of `ticks` of the TSC, whatever work is done. */
struct allowance allowance_in_time(u64 now, u64 ticks);
/* Is the time over, and has some CPU also done the allowed work? Or was no work done for that long? */
bool allowance_over(struct allowance *allowance, u64 now, struct work work);
