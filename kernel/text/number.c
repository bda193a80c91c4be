/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers as users write them. */
#include "kernel/text/text.h"

#define NO_DIGIT 99u

static unsigned digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10;
    return NO_DIGIT;
}

const char *number_parse(const char *text, u64 *number)
{
    unsigned base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
    const char *digit = base == 16 ? text + 2 : text;
    u64 value = 0;
    if (digit_value(*digit) >= base)
        return NULL;
    for (; digit_value(*digit) < base; digit++) {
        if (value > (~0ull - digit_value(*digit)) / base)
            return NULL;
        value = value * base + digit_value(*digit);
    }
    *number = value;
    return digit;
}

bool number_take(const char **text, u32 *number)
{
    u64 value;
    const char *rest = number_parse(*text, &value);
    if (!rest || value >= 1000000000)
        return false;
    *text = rest;
    *number = (u32)value;
    return true;
}
