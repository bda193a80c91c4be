/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversions made from the input, compared with the C library; and any text as a quoted value. */
#include "kernel/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void compare_conversion(const u8 *data)
{
    static const char flags[] = "-0+ #", letters[] = "diuxXo";
    static const char *const lengths[] = {"hh", "h", "", "l", "ll", "z", "j", "t"};
    char format[32] = "%", got[64], want[64];
    size_t room = data[3] % sizeof(got) + 1, used = 1;
    u64 value;
    for (unsigned i = 0; i < 5; i++)
        if (data[0] >> i & 1)
            format[used++] = flags[i];
    used += (size_t)snprintf(format + used, 8, "%d", data[1] % 40);
    if (data[2] & 1)
        used += (size_t)snprintf(format + used, 8, ".%d", data[2] / 2 % 40);
    snprintf(format + used, 8, "%s%c", lengths[data[0] >> 5], letters[data[3] % 6]);
    memcpy(&value, data + 4, sizeof(value));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
    if (snprintf(want, room, format, value) != format_text(got, room, format, value) || strcmp(got, want))
        abort();
#pragma GCC diagnostic pop
}

static void quote(const u8 *data, size_t size)
{
    char value[64], text[140];
    size_t room = size ? data[0] % 64 : 0, length = size < sizeof(value) ? size : sizeof(value) - 1;
    memcpy(value, data, length);
    value[length] = 0;
    format_quoted(text, sizeof(text), value);
    if (text[0] == '"' && text[strlen(text) - 1] != '"')
        abort();
    format_quoted(text, room, value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size >= 12)
        compare_conversion(data);
    quote(data, size);
    return 0;
}
