/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/area/ds.h"

#define RESETS_32 0x20 /* reset values follow eight addresses of 4 bytes */
#define RESETS_64 0x40 /* reset values follow eight addresses of 8 bytes */
#define GP_SLOTS 8     /* GP counters that have a place */
#define GP_SLOTS_5 32  /* GP counters that have a place, from record format 5 on */
#define FIXED_SLOTS 4
#define FIXED_SLOTS_5 16

struct ds_layout ds_layout(bool wide, unsigned format)
{
    if (!wide)
        return (struct ds_layout){.word = 4, .gp_slots = 1, .gp_reset = RESETS_32};
    unsigned gp = format >= 5 ? GP_SLOTS_5 : GP_SLOTS;
    return (struct ds_layout){
        .word = 8,
        .gp_slots = (u8)gp,
        .fixed_slots = format >= 5 ? FIXED_SLOTS_5 : FIXED_SLOTS,
        .gp_reset = RESETS_64,
        .fixed_reset = (u16)(RESETS_64 + 8 * gp),
    };
}

static u64 get(const u8 *at, unsigned bytes)
{
    u64 value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (u64)at[i] << 8 * i;
    return value;
}

static void put(u8 *at, unsigned bytes, u64 value)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (u8)(value >> 8 * i);
}

u64 ds_get(const struct ds_layout *layout, const u8 *area, enum ds_field field)
{
    return get(area + field * layout->word, layout->word);
}

void ds_put(const struct ds_layout *layout, u8 *area, enum ds_field field, u64 value)
{
    put(area + field * layout->word, layout->word, value);
}

bool ds_buffer_fits(const struct ds_buffer *buffer)
{
    return buffer->size && ((u64)buffer->records + DS_GUARD_RECORDS) * buffer->size <= buffer->room;
}

void ds_put_buffer(const struct ds_layout *layout, u8 *area, const struct ds_buffer *buffer)
{
    u64 records = buffer->records ? buffer->records : buffer->room / buffer->size - DS_GUARD_RECORDS;
    u64 threshold = buffer->threshold ? buffer->threshold : records + DS_GUARD_RECORDS;
    ds_put(layout, area, DS_PEBS_BASE, buffer->base);
    ds_put(layout, area, DS_PEBS_INDEX, buffer->base);
    ds_put(layout, area, DS_PEBS_MAXIMUM, buffer->base + records * buffer->size);
    ds_put(layout, area, DS_PEBS_THRESHOLD, buffer->base + threshold * buffer->size);
}

bool ds_put_reset(const struct ds_layout *layout, u8 *area, bool fixed, unsigned index, u64 value)
{
    if (index >= (fixed ? layout->fixed_slots : layout->gp_slots))
        return false;
    put(area + (fixed ? layout->fixed_reset : layout->gp_reset) + 8 * index, 8, value);
    return true;
}
