/* SPDX-License-Identifier: BSD-2-Clause */
/* Reflected polynomial EDB88320H, four bits at a time: logs are short, and the table stays small. */
#include "kernel/text/text.h"

static const u32 nibble[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

u32 crc32_update(u32 crc, const void *data, size_t length)
{
    const u8 *byte = data;
    crc = ~crc;
    while (length--) {
        crc ^= *byte++;
        crc = crc >> 4 ^ nibble[crc & 15];
        crc = crc >> 4 ^ nibble[crc & 15];
    }
    return ~crc;
}
