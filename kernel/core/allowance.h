/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How long something may take. On hardware that is a time. On the reference PMU an instruction costs whatever the host
 * has left for it, from a third of a microsecond to many; but work can be counted there, so as long as work is done it
 * may take as much work as a machine of ordinary speed does in that time. Pure.
 */
#pragma once

#include "boot/bits.h"

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
