/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the function of an address by binary search. */
#include "kernel/core/image.h"

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
