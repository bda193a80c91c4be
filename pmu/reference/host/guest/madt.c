#include "pmu/reference/host/guest/madt.h"
#include "boot/bytes.h"

#define ENTRIES 44
#define CHECKSUM 9
#define LOCAL_APIC 0
#define LOCAL_X2APIC 9
#define USABLE 3 /* enabled, or may be enabled later */

static bool hide(u8 *entry, u32 id, u32 flags, bool (*given)(u32 id))
{
    if (given(id) || !(entry[flags] & USABLE))
        return false;
    entry[flags] &= (u8)~USABLE;
    return true;
}

unsigned guest_madt_hide(u8 *table, u32 length, bool (*given)(u32 id))
{
    unsigned hidden = 0;
    for (u32 at = ENTRIES; at + 2 <= length && table[at + 1] >= 2 && table[at + 1] <= length - at;
         at += table[at + 1]) {
        u8 *entry = table + at;
        if (entry[0] == LOCAL_APIC && entry[1] >= 8)
            hidden += hide(entry, entry[3], 4, given);
        else if (entry[0] == LOCAL_X2APIC && entry[1] >= 16)
            hidden += hide(entry, bytes_get32(entry + 4), 8, given);
    }
    u8 sum = 0;
    for (u32 i = 0; i < length; i++)
        sum = (u8)(sum + table[i]);
    table[CHECKSUM] = (u8)(table[CHECKSUM] - sum);
    return hidden;
}
