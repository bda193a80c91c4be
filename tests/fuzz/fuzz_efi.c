/* SPDX-License-Identifier: BSD-2-Clause */
/* Any memory map and any firmware tables: callable code must lie in memory that the firmware keeps. */
#include "kernel/firmware/acpi.h"
#include "kernel/text/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Makes a table with a right sum, whatever else is wrong with it. */
static void read_table(const struct boot_info *boot, const uint8_t *data)
{
    u8 table[EFI_RUNTIME_TABLE_SIZE];
    struct efi_services services;
    memcpy(table, data, sizeof(table));
    memcpy(table, "RUNTSERV", 8);
    table[12] = EFI_RUNTIME_TABLE_SIZE;
    memset(table + 13, 0, 7);
    u32 crc = crc32_update(0, table, sizeof(table));
    memcpy(table + 16, &crc, sizeof(crc));
    if (!efi_read_services(boot, table, &services) &&
        (!efi_is_runtime(boot, services.set_variable, 1) || !efi_is_runtime(boot, services.query_variable_info, 1)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct boot_info boot;
    if (size < EFI_RUNTIME_TABLE_SIZE)
        return 0;
    boot_info_walk(data + EFI_RUNTIME_TABLE_SIZE, size - EFI_RUNTIME_TABLE_SIZE, &boot);
    if (boot.efi_regions > BOOT_EFI_REGIONS)
        abort();
    if (!efi_refusal(&boot))
        read_table(&boot, data);
    efi_runtime_table(data);
    return 0;
}
