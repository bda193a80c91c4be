/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of a zone of Linux's persistent RAM, kept within its size. */
#include "kernel/log/kept.h"
#include "kernel/text/text.h"

#define SIGNATURE 0x43474244u /* "DBGC" */

void ramoops_begin(struct ramoops *zone)
{
    zone->start = zone->size = 0;
    zone->signature = SIGNATURE;
}

/* Where the next line after `at` begins; the text's end if there is none. */
static u32 next_line(const struct ramoops *zone, u32 at)
{
    while (at < zone->size && zone->text[at] != '\n')
        at++;
    return at < zone->size ? at + 1 : zone->size;
}

/* The sync lines reveal the gap. */
static u32 drop_middle(struct ramoops *zone, u32 room)
{
    u32 head = next_line(zone, room / 4), from = next_line(zone, head + (zone->size - head) / 2);
    memmove(zone->text + head, zone->text + from, zone->size - from);
    zone->size -= from - head;
    return head;
}

u32 ramoops_add(struct ramoops *zone, u32 size, const char *text, size_t length)
{
    u32 room = size - (u32)sizeof(*zone), changed = zone->size;
    if (length > room / 4)
        return changed;
    if (zone->size + length > room)
        changed = drop_middle(zone, room);
    memcpy(zone->text + zone->size, text, length);
    zone->size += (u32)length;
    return changed;
}
