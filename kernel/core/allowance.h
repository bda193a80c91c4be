/*
 * How long something may take. On hardware that is time. On the reference PMU an instruction costs what the host has
 * left for it, from a third of a microsecond to many; what is done can be counted there, so that as long as something
 * is done it may take as much work as a machine of ordinary speed gets through in that time. Pure.
 */
#pragma once

#include "boot/bits.h"

struct allowance {
    u64 end;            /* in ticks */
    u64 next, interval; /* when the work is looked at again; 0: it is not counted */
    u64 work_end, seen; /* in microseconds of that machine */
    u32 still;          /* looks in a row that found nothing done */
};

/* In microseconds of that machine: what has been done in all, and by whom has done the most. */
struct work {
    u64 all, most;
};

/* An allowance of `us` microseconds of time (`ticks` of the TSC), and of as many microseconds of work. */
struct allowance allowance_counted(u64 now, u64 ticks, struct work work, u64 us);
/* An allowance of `ticks` of the TSC, whatever work is done. */
struct allowance allowance_in_time(u64 now, u64 ticks);
/* Is the time over, and somebody's work as well? Or was nothing done for as long? */
bool allowance_over(struct allowance *allowance, u64 now, struct work work);
