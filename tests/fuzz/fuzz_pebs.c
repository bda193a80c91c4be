/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes as records of any format, with any claimed sizes: nothing outside the buffer is read. */
#include "pmu/area/ds.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool held)
{
    if (!held)
        abort();
}

static void touch(const u8 *at, u64 bytes)
{
    static volatile u8 sum;
    for (u64 i = 0; i < bytes; i++)
        sum = (u8)(sum + at[i]);
}

/* Reads a record like a test does; everything that it points to must lie within the buffer. */
static void use(const struct pebs_record *r, u64 room)
{
    require(r->size && r->size <= room && r->walked <= r->size && r->padding < r->size);
    if (r->has & PEBS_HAS_XMM)
        touch(r->xmm, PEBS_XMM_REGISTERS * PEBS_XMM_BYTES);
    if (r->has & PEBS_HAS_LBR)
        touch(r->lbr, r->lbr_count * PEBS_LBR_BYTES);
    if (r->has & PEBS_HAS_VALUES)
        touch(r->value, 8 * (u64)r->values);
}

/* The bytes are at the end of a separate allocation, so that the sanitiser sees any read beyond. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    unsigned format = data[0] % 8 <= PEBS_FORMAT_LAST ? data[0] % 8 : PEBS_FORMAT_ARCHITECTURAL;
    format = data[0] == 0xff ? PEBS_FORMAT_32 : format;
    u64 room = size - 1;
    u8 *bytes = malloc(room);
    struct pebs_record record;
    memcpy(bytes, data + 1, room);
    for (u64 offset = 0; offset < room; offset += record.size) {
        if (!pebs_decode(format, bytes + offset, room - offset, &record)) {
            require(record.padding <= room - offset);
            break;
        }
        use(&record, room - offset);
    }
    free(bytes);
    return 0;
}
