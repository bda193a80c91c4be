/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds SMBIOS: at the address that the loader gives, through UEFI's configuration tables, or in the BIOS's ROM. */
#include "kernel/firmware/smbios.h"
#include "boot/boot_info.h"
#include "kernel/core/memory.h"
#include "kernel/core/option.h"
#include "kernel/firmware/smbios_pure.h"

#define ROM_START 0xf0000
#define ROM_END 0x100000
#define TABLE_MAX (256u << 10)

static const u8 *map(u64 address, u64 length)
{
    return address < PAGE_SIZE ? NULL : memory_map(address, length, MEMORY_FIRMWARE);
}

OPTION(smbios, .kind = OPTION_NUMBER, .argument = "ADDRESS", .minimum = 1, .maximum = ~0ull,
       .help = "where the entry point of SMBIOS is, if the loader does not say (kexec on UEFI)");

static const u8 *entry_by_option(void)
{
    return option_smbios.given ? map(option_smbios.number, SMBIOS_ENTRY_SIZE) : NULL;
}

static const u8 *entry_by_efi(void)
{
    const u8 *system = map(boot_info()->efi_system_table, EFI_SYSTEM_TABLE_SIZE), *tables;
    unsigned pointer = boot_info()->efi_pointer;
    u64 count, address;
    if (!system || !efi_parse_system_table(system, pointer, &count, &address))
        return NULL;
    tables = map(address, count * EFI_TABLE_ENTRY_SIZE(pointer));
    return tables ? map(efi_parse_tables(tables, pointer, count), SMBIOS_ENTRY_SIZE) : NULL;
}

static const u8 *entry_by_scan(void)
{
    const u8 *rom = map(ROM_START, ROM_END - ROM_START);
    u64 address;
    u32 length;
    for (u32 at = 0; rom && at + SMBIOS_ENTRY_SIZE <= ROM_END - ROM_START; at += 16)
        if (smbios_parse_entry(rom + at, SMBIOS_ENTRY_SIZE, &address, &length))
            return rom + at;
    return NULL;
}

static void find(struct smbios_info *info)
{
    const struct boot_info *boot = boot_info();
    const u8 *entry = boot->smbios_size ? boot->smbios : entry_by_option(), *table;
    u64 address;
    u32 length;
    if (!entry)
        entry = boot->efi ? entry_by_efi() : entry_by_scan();
    if (!entry ||
        !smbios_parse_entry(entry, boot->smbios_size ? boot->smbios_size : SMBIOS_ENTRY_SIZE, &address, &length))
        return;
    length = length < TABLE_MAX ? length : TABLE_MAX;
    table = map(address, length);
    if (table)
        smbios_parse(table, length, info);
}

const struct smbios_info *smbios(void)
{
    static struct smbios_info info;
    static bool looked;
    if (!looked)
        find(&info);
    looked = true;
    return &info;
}
