/* SPDX-License-Identifier: BSD-2-Clause */
#include "hosting/image/madt.h"
#include "boot/bytes.h"

#define ENTRIES 44
#define LENGTH 4
#define CHECKSUM 9
#define LOCAL_APIC 0
#define LOCAL_X2APIC 9
#define LOCAL_APIC_SIZE 8
#define LOCAL_X2APIC_SIZE 16
#define USABLE 3 /* enabled, or may be enabled later */

void guest_table_seal(u8 *table, u32 length)
{
    u8 sum = 0;
    for (u32 i = 0; i < length; i++)
        sum = (u8)(sum + table[i]);
    table[CHECKSUM] = (u8)(table[CHECKSUM] - sum);
}

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
        if (entry[0] == LOCAL_APIC && entry[1] >= LOCAL_APIC_SIZE)
            hidden += hide(entry, entry[3], 4, given);
        else if (entry[0] == LOCAL_X2APIC && entry[1] >= 16)
            hidden += hide(entry, bytes_get32(entry + 4), 8, given);
    }
    guest_table_seal(table, length);
    return hidden;
}

/* A processor whose new id does not fit into 8 bits gets an x2APIC entry instead. */
static u32 renumber(const u8 *entry, u8 *to, u32 (*new_id)(u32 id))
{
    bool processor = entry[0] == LOCAL_APIC && entry[1] >= LOCAL_APIC_SIZE;
    u32 id = processor ? new_id(entry[3]) : 0;
    if (!processor || id == entry[3]) {
        for (u32 i = 0; i < entry[1]; i++)
            to[i] = entry[i];
        return entry[1];
    }
    to[0] = LOCAL_X2APIC;
    to[1] = LOCAL_X2APIC_SIZE;
    bytes_put(to + 2, 0, 2);
    bytes_put(to + 4, id, 4);
    bytes_put(to + 8, bytes_get32(entry + 4), 4);
    bytes_put(to + 12, entry[2], 4);
    return LOCAL_X2APIC_SIZE;
}

u32 guest_madt_renumber(const u8 *table, u32 length, u8 *to, u32 room, u32 (*new_id)(u32 id))
{
    u32 end = ENTRIES, at = ENTRIES;
    if (length < ENTRIES || room < ENTRIES)
        return 0;
    for (u32 i = 0; i < ENTRIES; i++)
        to[i] = table[i];
    for (; at + 2 <= length && table[at + 1] >= 2 && table[at + 1] <= length - at; at += table[at + 1]) {
        if (end + table[at + 1] + LOCAL_X2APIC_SIZE > room)
            return 0;
        end += renumber(table + at, to + end, new_id);
    }
    if (end == at)
        return 0;
    bytes_put(to + LENGTH, end, 4);
    guest_table_seal(to, end);
    return end;
}
