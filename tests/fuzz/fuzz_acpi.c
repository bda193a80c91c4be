/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes after a header with the right length: tables reach the parsers like this. */
#include "kernel/firmware/acpi.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct acpi_info info;
    struct acpi_roots roots;
    u64 address;
    acpi_parse_rsdp(data, size, &roots);
    if (size < ACPI_HEADER_SIZE)
        return 0;
    memset(&info, 0, sizeof(info));
    acpi_check(data, (u32)size, "APIC");
    acpi_parse_root(data, (u32)size, &info);
    acpi_parse_madt(data, (u32)size, &info);
    acpi_parse_fadt(data, (u32)size, &info);
    acpi_parse_hpet(data, (u32)size, &info);
    acpi_parse_spcr(data, (u32)size, &info);
    acpi_parse_dbg2(data, (u32)size, &info);
    acpi_parse_sleep(data, (u32)size, &info);
    acpi_dsdt_address(data, (u32)size);
    for (unsigned n = 0; acpi_root_entry(data, (u32)size, 4 + n % 2 * 4, n, &address); n++)
        ;
    if (info.cpus > ARRAY_SIZE(info.cpu) || info.ioapics > ARRAY_SIZE(info.ioapic))
        abort();
    return 0;
}
