#include "kernel/core/tsc_rate.h"

u64 tsc_rate_khz(u64 tsc_ticks, u64 clock_ticks, u64 clock_hz)
{
    return clock_ticks ? tsc_ticks * clock_hz / clock_ticks / 1000 : 0;
}

u64 tsc_rate_crystal(u32 denominator, u32 numerator, u32 crystal_hz)
{
    return denominator ? (u64)crystal_hz * numerator / denominator / 1000 : 0;
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
