/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/firmware/acpi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct smbios_info info;
    u64 address;
    u32 length;
    smbios_parse_entry(data, size, &address, &length);
    smbios_parse(data, (u32)size, &info);
    for (unsigned pointer = 4; pointer <= 8; pointer += 4)
        efi_parse_tables(data, pointer, size / EFI_TABLE_ENTRY_SIZE(pointer));
    return 0;
}
