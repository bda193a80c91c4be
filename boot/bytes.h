/* SPDX-License-Identifier: BSD-2-Clause */
/* Fields of tables that others wrote, at any alignment. The caller has checked that they lie within the table. Pure. */
#pragma once

#include "boot/bits.h"

/* The little-endian number of `count` bytes, at most 8. */
static inline u64 bytes_get(const u8 *bytes, unsigned count)
{
    u64 value = 0;
    while (count--)
        value = value << 8 | bytes[count];
    return value;
}

static inline u32 bytes_get32(const u8 *bytes)
{
    return (u32)bytes_get(bytes, 4);
}

static inline u64 bytes_get64(const u8 *bytes)
{
    return bytes_get(bytes, 8);
}

/* Do the bytes add up to 0, as those of a firmware table must? */
static inline bool bytes_checksum_good(const u8 *bytes, u64 length)
{
    u8 sum = 0;
    while (length--)
        sum = (u8)(sum + *bytes++);
    return !sum;
}

/* Writes the `count` low bytes of `value`, at most 8. */
static inline void bytes_put(u8 *bytes, u64 value, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        bytes[i] = (u8)(value >> 8 * i);
}
