/* Looks up the function of an address by bisection. */
#include "kernel/core/symbols.h"

const char *symbol_name(u64 address, u64 *offset)
{
    unsigned low = 0, high = symbol_count;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (symbols[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    *offset = address - symbols[low - 1].address;
    return symbols[low - 1].name;
}
