/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files that the loader puts beside the kernel, such as the kernel that is hosted on the reference PMU. They are not
 * part of the image, so its sum does not cover them; the option `sums=` gives the sum of each.
 */
#include "boot/boot_info.h"
#include "kernel/core/image.h"
#include "kernel/core/option.h"
#include "kernel/log/log.h"
#include "kernel/text/text.h"

#define DIGITS 8

static bool add_digit(char c, u32 *value)
{
    bool decimal = c >= '0' && c <= '9', letter = c >= 'a' && c <= 'f';
    if (decimal || letter)
        *value = *value << 4 | (u32)(decimal ? c - '0' : c - 'a' + 10);
    return decimal || letter;
}

/* Returns what follows the eight digits and their comma; NULL if the digits are missing. */
static const char *read_sum(const char *text, u32 *sum)
{
    *sum = 0;
    for (unsigned i = 0; i < DIGITS; i++)
        if (!add_digit(text[i], sum))
            return NULL;
    text += DIGITS;
    return !*text ? text : *text == ',' && text[1] ? text + 1 : NULL;
}

bool modules_whole(const u32 *sum, unsigned count, const char *told, char *error)
{
    unsigned n = 0;
    for (const char *at = told; *at; n++) {
        u32 want;
        at = read_sum(at, &want);
        if (!at) {
            format_text(error, MODULES_ERROR, "sums=%s: eight hexadecimal digits for each module, with commas between",
                        told);
            return false;
        }
        if (n < count && sum[n] != want) {
            format_text(error, MODULES_ERROR,
                        "module %u of %u is damaged: its sum is %08x, not %08x; write or copy it anew", n + 1, count,
                        sum[n], want);
            return false;
        }
    }
    if (n && n != count)
        format_text(error, MODULES_ERROR, "sums= has %u sums, but the loader gave %u modules", n, count);
    return !n || n == count;
}

OPTION(sums, .kind = OPTION_TEXT, .argument = "CRC32,...",
       .help = "the CRC-32 of each module that GRUB loads, as eight hexadecimal digits: a mismatch is an error");

const char *modules_check(void)
{
    static char error[MODULES_ERROR];
    const struct boot_info *boot = boot_info();
    u32 sum[ARRAY_SIZE(boot->module)];
    for (unsigned i = 0; i < boot->modules; i++) {
        u64 start = boot->module[i].start, bytes = boot->module[i].end - start;
        sum[i] = crc32_update(0, (const void *)start, bytes);
        log_line("# module number=%u bytes=%lu sum=%08x", i + 1, (unsigned long)bytes, sum[i]);
    }
    return modules_whole(sum, boot->modules, option_sums.text, error) ? NULL : error;
}
