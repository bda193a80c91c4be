/* SPDX-License-Identifier: BSD-2-Clause */
/* Updates of microcode in Intel's format, with made-up data; written independently of the code that reads them. */
#pragma once

#include "boot/bytes.h"

#define UPDATE_BYTES 2048u
#define UPDATE_DATA 1960u /* leaves room only for a table of one or two CPUs */

struct made_update {
    u32 signature, platforms, revision, least;
    u32 further_signature, further_platforms; /* of a table's only entry; 0: no table */
    bool old;                                 /* header without sizes, and so without a table */
};

static inline u32 made_sum(const u8 *bytes, u32 count)
{
    u32 sum = 0;
    for (u32 i = 0; i < count; i += 4)
        sum += bytes_get32(bytes + i);
    return sum;
}

static inline void made_put(u8 *bytes, u32 at, u32 value)
{
    bytes_put(bytes + at, value, 4);
}

/* The header's sum makes the sum of the whole update 0; the table's sum makes the table's 0. */
static inline void made_update(u8 *bytes, const struct made_update *update)
{
    u32 table = 48 + UPDATE_DATA;
    for (u32 i = 0; i < UPDATE_BYTES; i++)
        bytes[i] = i < 48 || (!update->old && i >= table) ? 0 : (u8)(7 * i);
    made_put(bytes, 0, 1);
    made_put(bytes, 4, update->revision);
    made_put(bytes, 8, 0x06182026);
    made_put(bytes, 12, update->signature);
    made_put(bytes, 20, 1);
    made_put(bytes, 24, update->platforms);
    made_put(bytes, 28, update->old ? 0 : UPDATE_DATA);
    made_put(bytes, 32, update->old ? 0 : UPDATE_BYTES);
    made_put(bytes, 40, update->least);
    made_put(bytes, 16, -made_sum(bytes, UPDATE_BYTES));
    if (update->old)
        return;
    u32 fields = update->signature + update->platforms + bytes_get32(bytes + 16);
    u8 *entry = bytes + table + 20;
    made_put(bytes, table, update->further_signature ? 1 : 0);
    made_put(entry, 0, update->further_signature);
    made_put(entry, 4, update->further_platforms);
    if (update->further_signature)
        made_put(entry, 8, fields - update->further_signature - update->further_platforms);
    made_put(bytes, table + 4, -made_sum(bytes + table, 32));
}
