/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file of microcode: any bytes, and any bytes with right sums. Nothing outside the file is read, and a chosen update
 * lies within it, is newer, and has a right sum.
 */
#include "boot/bytes.h"
#include "pmu/cpu/microcode.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool held)
{
    if (!held)
        abort();
}

static void choose(const u8 *file, size_t size, const struct microcode_cpu *cpu)
{
    struct microcode_update update = {0};
    char text[MICROCODE_TEXT] = "";
    const char *why = microcode_choose(file, size, cpu, &update, text);
    if (why) {
        require(strlen(why) && strlen(why) < sizeof(text) && !update.data);
        return;
    }
    const u8 *header = (const u8 *)update.data - 48;
    require(header >= file && (size_t)(header - file) + 2048 <= size + 1024 && !((header - file) % 1024));
    require((s32)update.revision > (s32)cpu->revision && bytes_get32(header + 4) == update.revision);
}

static u32 sum_of(const u8 *bytes, size_t count)
{
    u32 sum = 0;
    for (size_t i = 0; i + 4 <= count; i += 4)
        sum += bytes_get32(bytes + i);
    return sum;
}

/* Corrects the sums of the first update's header and table, if it has room for them. */
static void mend(u8 *file, size_t size)
{
    if (size < 48)
        return;
    u64 data = bytes_get32(file + 28), total = bytes_get32(file + 32), table = 48 + data;
    if (!data)
        total = 2048;
    if (total > size || total % 4 || total < 48)
        return;
    bytes_put(file + 16, bytes_get32(file + 16) - sum_of(file, total), 4);
    if (!data || data % 4 || table + 20 > total)
        return;
    u64 length = 20 + 12ull * bytes_get32(file + table);
    if (table + length > total)
        return;
    for (u64 entry = table + 20; entry < table + length; entry += 12)
        bytes_put(file + entry + 8,
                  bytes_get32(file + 12) + bytes_get32(file + 24) + bytes_get32(file + 16) - bytes_get32(file + entry) -
                      bytes_get32(file + entry + 4),
                  4);
    u32 others = sum_of(file, total) - sum_of(file + table, length);
    bytes_put(file + table + 4, bytes_get32(file + table + 4) - sum_of(file + table, length), 4);
    bytes_put(file + 44, bytes_get32(file + 44) - others, 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 9)
        return 0;
    struct microcode_cpu cpu = {bytes_get32(data), data[4] & 7, bytes_get32(data + 5)};
    size_t length = size - 9;
    u8 *file = malloc(length ? length : 1);
    memcpy(file, data + 9, length);
    choose(file, length, &cpu);
    mend(file, length);
    choose(file, length, &cpu);
    free(file);
    return 0;
}
