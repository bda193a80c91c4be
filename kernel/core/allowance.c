/* SPDX-License-Identifier: BSD-2-Clause */
/* How long something may take. */
#include "kernel/core/time.h"

/*
 * An allowance is divided into this many looks. Each of them, one after the other, must find that no work was done: if
 * the host has stopped all CPUs, the CPU that looks is stopped too, and counts that pause only once.
 */
#define LOOKS 16

/* Compares modulo 2^64: firmware may have set the TSC near its highest value. */
static bool reached(u64 now, u64 end)
{
    return (s64)(now - end) >= 0;
}

struct allowance allowance_in_time(u64 now, u64 ticks)
{
    return (struct allowance){.end = now + ticks};
}

struct allowance allowance_counted(u64 now, u64 ticks, struct work work, u64 us)
{
    u64 interval = ticks / LOOKS + 1;

    return (struct allowance){
        .end = now + ticks, .next = now + interval, .interval = interval, .work_end = work.most + us, .seen = work.all};
}

bool allowance_over(struct allowance *allowance, u64 now, struct work work)
{
    if (!allowance->interval)
        return reached(now, allowance->end);
    if (!reached(now, allowance->next))
        return false;
    allowance->next = now + allowance->interval;
    allowance->still = work.all == allowance->seen ? allowance->still + 1 : 0;
    allowance->seen = work.all;
    return allowance->still >= LOOKS || (reached(now, allowance->end) && work.most >= allowance->work_end);
}
