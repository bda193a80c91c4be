/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/core/time.h"
#include "kernel/register/instructions.h"

/* No TSC is faster, so a wait before the calibration may last too long but never ends too early. */
#define FASTEST_KHZ 6000000

#define PATIENCE_LOOKS 1000
/* No loop around deadline_passed() runs more often than this: its PAUSE alone takes longer. */
#define TRIES_PER_US 500

static u64 tsc_khz = FASTEST_KHZ;
static const char assumed[] = "assumed";
static const char *source = assumed;
static u64 started;
static u64 lost; /* ticks before the TSC began anew */

u64 time_now(void)
{
    lfence(); /* RDTSC may execute before earlier instructions: SDM 2B, "RDTSC" */

    u64 now = rdtsc() + lost;

    if (!started)
        started = now;
    return now;
}

void time_resume(u64 before)
{
    if ((s64)(time_now() - before) < 0)
        lost += before - time_now();
}

void time_calibrated(u64 khz, const char *by)
{
    tsc_khz = khz;
    source = by;
}

u64 time_tsc_khz(void)
{
    return tsc_khz;
}

const char *time_source(void)
{
    return source;
}

bool time_assumed(void)
{
    return source == assumed;
}

u64 time_us(u64 ticks)
{
    return tsc_rate_us(ticks, tsc_khz);
}

u64 time_ticks(u64 us)
{
    return tsc_rate_ticks(us, tsc_khz);
}

u64 time_uptime_ms(void)
{
    u64 now = time_now();
    return time_us(now - started) / 1000;
}

/* The TSC is read before and after each read of the clock; an SMI between widens the gap, so the narrowest is taken. */
struct moment time_moment(u32 (*read)(void))
{
    struct moment best = {0};
    u64 narrowest = ~0ull;
    for (unsigned i = 0; i < 5; i++) {
        u64 before = time_now();
        u32 count = read();
        u64 after = time_now();
        if (after - before < narrowest) {
            narrowest = after - before;
            best = (struct moment){.tsc = before + narrowest / 2, .count = count};
        }
    }
    return best;
}

struct deadline deadline_us(u64 us)
{
    return (struct deadline){.end = time_now() + time_ticks(us), .tries = us * TRIES_PER_US + 1};
}

bool deadline_passed(struct deadline *deadline)
{
    cpu_pause();
    if (!deadline->tries || (s64)(time_now() - deadline->end) >= 0)
        return true;
    deadline->tries--;
    return false;
}

struct patience patience_us(u64 us)
{
    return patience_looks(us, PATIENCE_LOOKS);
}

struct patience patience_looks(u64 us, u32 least)
{
    return (struct patience){.deadline = deadline_us(us), .least = least};
}

bool patience_over(struct patience *patience)
{
    bool passed = deadline_passed(&patience->deadline);
    return patience->looks++ > patience->least && passed;
}

void time_delay_us(u64 us)
{
    struct deadline deadline = deadline_us(us);
    while (!deadline_passed(&deadline))
        ;
}
