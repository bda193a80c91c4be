/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes as firmware's list of processors: all writes lie within it, and its checksum is updated. */
#include "boot/bytes.h"
#include "hosting/image/madt.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool odd_given(u32 id)
{
    return id & 1;
}

static u32 odd_is_high(u32 id)
{
    return id & 1 ? id + 0x100 : id;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    u32 length = (u32)size, room = 3 * length + 100;
    u8 *table = malloc(size + 1), *to = malloc(room);
    if (size < 44 || size > 4096)
        goto end;
    memcpy(table, data, size);
    guest_madt_hide(table, length, odd_given);
    u32 end = guest_madt_renumber(table, length, to, data[0] ? room : length, odd_is_high);
    if (!bytes_checksum_good(table, length) ||
        (end && (end <= 44 || end > room || bytes_get32(to + 4) != end || !bytes_checksum_good(to, end))))
        abort();
end:
    free(table);
    free(to);
    return 0;
}
