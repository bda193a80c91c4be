/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the function of an address by binary search. */
#include "kernel/core/image.h"
#include "kernel/text/text.h"

extern const u8 image_start[], text_end[], rodata_start[], rodata_end[], data_start[], data_end[];
/* The only part of the file that the sum does not cover. */
static const volatile u32 built __attribute__((section(".sum"), used)) = 0;
static u32 constants;

static u32 sum_of_constants(void)
{
    u32 sum = crc32_update(0, image_start, (size_t)(text_end - image_start));
    return crc32_update(sum, rodata_start, (size_t)(rodata_end - rodata_start));
}

u32 image_sum(void)
{
    return built;
}

u32 image_sum_loaded(void)
{
    constants = sum_of_constants();
    if (image_moved())
        return built; /* the image's sum was checked before it moved */
    return crc32_update(constants, data_start, (size_t)(data_end - data_start));
}

bool image_unchanged(void)
{
    return sum_of_constants() == constants;
}

extern const u8 image_start[];

const char *symbol_name(u64 address, u64 *offset)
{
    u64 at = address - (u64)(uintptr_t)image_start;
    unsigned low = 0, high = symbol_count;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (symbols[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || symbols[low - 1].name == SYMBOL_NONE)
        return NULL;
    *offset = at - symbols[low - 1].at;
    return symbol_names + symbols[low - 1].name;
}
