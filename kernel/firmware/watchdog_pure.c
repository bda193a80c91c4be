#include "kernel/firmware/watchdog_pure.h"

#define INTEL 0x8086
#define LEAST_TICKS 4
#define EXPIRIES 2

/* Device ids of LPC bridges, first to last, by the data sheets' "Device and Revision Identification". */
static const struct {
    u16 first, last;
} bridges[] = {
    {0x2640, 0x2642}, /* hub 6 */
    {0x27b8, 0x27bd}, /* hub 7 */
    {0x2810, 0x2815}, /* hub 8 */
    {0x2912, 0x2919}, /* hub 9; QEMU's q35 has 2918H */
    {0x3a14, 0x3a1a}, /* hub 10 */
    {0x3b00, 0x3b16}, /* 5 series, 3400 series */
    {0x1c41, 0x1c5f}, /* 6 series, C200 series */
    {0x1d40, 0x1d41}, /* C600 series */
    {0x1e41, 0x1e5f}, /* 7 series */
    {0x8c41, 0x8c5f}, /* 8 series, C220 series */
    {0x8cc1, 0x8cc6}, /* 9 series */
    {0x8d40, 0x8d5f}, /* C610 series */
    {0x9c41, 0x9c47}, /* 8 series, low power */
    {0x9cc1, 0x9cc9}, /* 9 series, low power */
};

bool watchdog_knows(u32 id)
{
    for_each_row (bridges, row)
        if ((id & 0xffff) == INTEL && id >> 16 >= row->first && id >> 16 <= row->last)
            return true;
    return false;
}

u32 watchdog_ticks(u32 seconds)
{
    u64 ticks = (u64)seconds * 1000 / EXPIRIES / TMR_TICK_MS;
    return ticks < LEAST_TICKS ? LEAST_TICKS : ticks > TMR_TICKS ? (u32)TMR_TICKS : (u32)ticks;
}

u32 watchdog_seconds(u32 ticks)
{
    return ticks * TMR_TICK_MS * EXPIRIES / 1000;
}
