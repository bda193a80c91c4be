/* SPDX-License-Identifier: BSD-2-Clause */
/* What both walks over a loader's information share: they store nothing that cannot be right. */
#include "boot/boot_info.h"

void boot_info_complain(struct boot_info *info, const char *what)
{
    if (!info->error)
        info->error = what;
}

void boot_info_add_region(const struct boot_region *region, struct boot_info *info)
{
    if (region->base + region->length < region->base)
        boot_info_complain(info, "a memory region wraps around");
    else if (info->regions == BOOT_REGIONS)
        info->regions_dropped++;
    else if (region->length)
        info->region[info->regions++] = *region;
}

char *boot_info_add_module(u64 start, u64 end, struct boot_info *info)
{
    unsigned n = info->modules;
    if (end < start)
        boot_info_complain(info, "a module ends before it starts");
    else if (n == ARRAY_SIZE(info->module))
        boot_info_complain(info, "too many modules");
    else {
        info->module[n].start = start;
        info->module[n].end = end;
        info->modules++;
        return info->module[n].command_line;
    }
    return NULL;
}

static bool same(const char *one, const char *other)
{
    while (*one && *one == *other)
        one++, other++;
    return *one == *other;
}

void boot_info_name_module(struct boot_info *info)
{
    unsigned last = info->modules - 1;
    if (!same(info->module[last].command_line, BOOT_SETTINGS))
        return;
    info->modules = last;
    if (info->settings == ARRAY_SIZE(info->setting))
        return;
    info->setting[info->settings].start = info->module[last].start;
    info->setting[info->settings++].end = info->module[last].end;
}
