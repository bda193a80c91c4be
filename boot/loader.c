/* SPDX-License-Identifier: BSD-2-Clause */
/* Which loader started this image, and what it reported. */
#include "boot/boot_info.h"

static struct boot_info this_boot;

void boot_info_take(u32 loader, const struct boot_reader *reader, u64 information)
{
    if (loader == BOOT_PVH)
        pvh_walk(reader, information, &this_boot);
    else if (loader == BOOT_MULTIBOOT2 && information)
        boot_info_walk((const void *)(uintptr_t)information, BOOT_INFORMATION_LIMIT, &this_boot);
    else
        boot_info_walk(NULL, 0, &this_boot);
}

const struct boot_info *boot_info(void)
{
    return &this_boot;
}

void boot_info_tell_efi(void)
{
    this_boot.efi = true;
}

static bool begins(const char *text, const char *with)
{
    while (*with && *text == *with) {
        text++;
        with++;
    }
    return !*with;
}

bool boot_by_kexec(const struct boot_info *info)
{
    return begins(info->loader, "kexec ");
}

const char *boot_options(const struct boot_info *info)
{
    const char *line = info->command_line;
    if (!boot_by_kexec(info))
        return line;
    while (*line && *line != ' ')
        line++;
    while (*line == ' ')
        line++;
    return line;
}
