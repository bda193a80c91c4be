/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/cpu.h"
#include "kernel/interrupt/machine_check.h"
#include "kernel/text/format.h"
#include "kernel/text/string.h"

u32 machine_check_banks(u64 capabilities)
{
    u32 count = capabilities & MCG_CAP_COUNT;
    return count < MACHINE_CHECK_BANKS ? count : MACHINE_CHECK_BANKS;
}

static void add(char *text, const char *key, u64 value)
{
    size_t length = strlen(text);
    format_text(text + length, MACHINE_CHECK_TEXT - length, " %s=0x%lx", key, value);
}

const char *machine_check_text(const struct machine_check *check, char *text)
{
    if (check->bank == MACHINE_CHECK_NO_BANK) {
        format_text(text, MACHINE_CHECK_TEXT, "bank=none");
    } else {
        format_text(text, MACHINE_CHECK_TEXT, "bank=%u status=0x%lx", check->bank, check->status);
        if (check->status & MC_STATUS_ADDRESS_VALID)
            add(text, "address", check->address);
        if (check->status & MC_STATUS_MISC_VALID)
            add(text, "misc", check->misc);
    }
    add(text, "mcg-status", check->global);
    return text;
}
