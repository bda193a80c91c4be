/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/mode/peek/peek.h"
#include "kernel/text/format.h"
#include "kernel/text/glob.h"
#include "kernel/text/number.h"
#include "kernel/text/string.h"
#include "pmu/state/register_names.h"

/* Parses the register at the start of an item; returns the text after it, or NULL. */
static const char *take_register(char *item, u32 *msr)
{
    char *value = strchr(item, ':');
    u64 number;
    if (value)
        *value++ = 0;
    const char *end = number_parse(item, &number);
    if (end && !*end && number <= 0xffffffff)
        *msr = (u32)number;
    else if (!register_number(item, msr))
        return NULL;
    return value ? value : "";
}

bool peek_parse(const char *text, const char *option, bool values, struct peeks *peeks, char *error)
{
    char item[64];
    peeks->count = 0;
    while (list_next(&text, item, sizeof(item))) {
        struct peek peek = {0};
        const char *value = take_register(item, &peek.msr), *end = value ? number_parse(value, &peek.value) : NULL;
        const char *wrong = NULL;
        if (!value)
            wrong = "no register has this name: use the manual's name of a PMU register, or a number in 0x";
        else if (values && (!end || *end))
            wrong = "the value is missing: REGISTER:VALUE, in decimal or 0x";
        else if (!values && *value)
            wrong = "it is only read: write= takes a value";
        else if (peeks->count == PEEKS_MOST)
            wrong = "too many registers";
        if (wrong) {
            format_text(error, PEEK_ERROR_SIZE, "%s=%.40s: %s", option, item, wrong);
            return false;
        }
        peeks->peek[peeks->count++] = peek;
    }
    return true;
}
