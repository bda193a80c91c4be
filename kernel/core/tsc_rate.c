/* SPDX-License-Identifier: BSD-2-Clause */
/* Arithmetic of clocks. */
#include "kernel/core/time.h"

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
