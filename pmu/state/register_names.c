/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of registers. */
#include "kernel/text/text.h"
#include "pmu/state/register.h"

static const char *spelled(const char *name, unsigned number, char *text)
{
    const char *place = strchr(name, '%');
    if (place)
        format_text(text, REGISTER_NAME_SIZE, "%.*s%u%s", (int)(place - name), name, number, place + 2);
    else
        format_text(text, REGISTER_NAME_SIZE, "%s", name);
    return text;
}

const char *register_name(const struct pmu_caps *caps, u32 msr, char *text)
{
    const struct register_row *row = register_row_of(caps, msr);
    if (row && row->name)
        return spelled(row->name, row->family.from + register_number_in(row, msr), text);
    format_text(text, REGISTER_NAME_SIZE, "MSR_%xH", msr);
    return text;
}

const char *register_name_on_any(u32 msr, char *text)
{
    static const struct pmu_caps netburst = {.intel = true, .family = 15};
    return register_name(register_row_of(NULL, msr) ? NULL : &netburst, msr, text);
}

bool register_number(const char *name, u32 *msr)
{
    char text[REGISTER_NAME_SIZE];
    for_each_register (row)
        for (unsigned n = 0; n < row->family.count && row->name && row->first != REGISTER_LVTPC; n++)
            if (!strcmp(spelled(row->name, row->family.from + n, text), name) ||
                (row->old_name && !strcmp(spelled(row->old_name, row->family.from + n, text), name))) {
                *msr = register_index(row, n);
                return true;
            }
    return false;
}
