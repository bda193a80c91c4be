/* SPDX-License-Identifier: BSD-2-Clause */
/* Time from the TSC, the arithmetic of clocks, and how long something may take. */
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

u64 tsc_rate_khz(u64 tsc_ticks, u64 clock_ticks, u64 clock_hz)
{
    return clock_ticks ? tsc_ticks * clock_hz / clock_ticks / 1000 : 0;
}

u64 tsc_rate_crystal(u32 denominator, u32 numerator, u32 crystal_hz)
{
    return denominator ? (u64)crystal_hz * numerator / denominator / 1000 : 0;
}

u64 tsc_rate_base(u32 eax)
{
    return FIELD_GET(eax, 15, 0) * 1000;
}

#define FAMILY_6 6
#define FIRST_MODEL 0x1a /* Nehalem, the first with the register */

/* Models from FIRST_MODEL on whose unit is not 100 MHz. In thirds of a kHz: 133.33 MHz is not an integer in kHz. */
static const struct {
    u8 model;
    u32 three_khz; /* 0: no such register, or the clock is stated by another register */
} units[] = {
    {0x1a, 400000}, {0x1e, 400000}, {0x1f, 400000}, {0x2e, 400000},            /* Nehalem */
    {0x25, 400000}, {0x2c, 400000}, {0x2f, 400000},                            /* Westmere */
    {0x1c, 0},      {0x26, 0},      {0x27, 0},      {0x35, 0},      {0x36, 0}, /* Bonnell, Saltwell */
    {0x37, 0},      {0x4a, 0},      {0x4d, 0},      {0x5a, 0},      {0x5d, 0}, /* Silvermont: MSR_FSB_FREQ */
    {0x4c, 0},      {0x75, 0},                                                 /* Airmont: MSR_FSB_FREQ */
};

static u32 three_khz(u32 signature)
{
    u32 family = (u32)FIELD_GET(signature, 11, 8);
    u32 model = (u32)(FIELD_GET(signature, 7, 4) | FIELD_GET(signature, 19, 16) << 4);
    if (family != FAMILY_6 || model < FIRST_MODEL)
        return 0;
    for_each_row (units, unit)
        if (unit->model == model)
            return unit->three_khz;
    return 300000;
}

bool tsc_rate_has_ratio(u32 signature)
{
    return three_khz(signature);
}

u64 tsc_rate_ratio(u32 signature, u64 platform_info)
{
    return FIELD_GET(platform_info, 15, 8) * three_khz(signature) / 3;
}

u32 tsc_rate_apart_ppm(u64 a_khz, u64 b_khz)
{
    u64 larger = a_khz > b_khz ? a_khz : b_khz, smaller = a_khz > b_khz ? b_khz : a_khz;
    return larger ? (u32)((larger - smaller) * 1000000 / larger) : 0;
}

unsigned tsc_rate_median(const u64 khz[3])
{
    for (unsigned i = 0; i < 2; i++) {
        u64 one = khz[(i + 1) % 3], other = khz[(i + 2) % 3];
        if ((khz[i] >= one && khz[i] <= other) || (khz[i] <= one && khz[i] >= other))
            return i;
    }
    return 2;
}

u64 tsc_rate_us(u64 ticks, u64 khz)
{
    return ticks / khz * 1000 + ticks % khz * 1000 / khz;
}

u64 tsc_rate_ticks(u64 us, u64 khz)
{
    return us / 1000 * khz + us % 1000 * khz / 1000;
}

/* ---- How long something may take. */

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
