/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding the tables, and the list of CPUs: ACPI Specification, "ACPI Software Programming Model". */
#include "kernel/firmware/acpi_pure.h"
#include "boot/bytes.h"
#include "kernel/text/string.h"

const char *acpi_parse_rsdp(const u8 *data, u64 size, struct acpi_roots *roots)
{
    *roots = (struct acpi_roots){0};
    if (size < ACPI_RSDP_SIZE)
        return "too short";
    if (memcmp(data, "RSD PTR ", 8))
        return "signature";
    if (!bytes_checksum_good(data, ACPI_RSDP_SIZE))
        return "checksum";
    roots->rsdt = bytes_get32(data + 16);
    if (data[15] < 2)
        return NULL;
    if (size < ACPI_RSDP_SIZE_2 || bytes_get32(data + 20) < ACPI_RSDP_SIZE_2)
        return "too short for its revision";
    if (!bytes_checksum_good(data, ACPI_RSDP_SIZE_2))
        return "extended checksum";
    roots->xsdt = bytes_get64(data + 24);
    return NULL;
}

const char *acpi_parse_length(const u8 *header, u32 *length)
{
    *length = bytes_get32(header + 4);
    return *length < ACPI_HEADER_SIZE || *length > ACPI_TABLE_SIZE_MAX ? "length" : NULL;
}

const char *acpi_check(const u8 *table, u32 length, const char *signature)
{
    if (length < ACPI_HEADER_SIZE || bytes_get32(table + 4) != length)
        return "length";
    if (memcmp(table, signature, 4))
        return "signature";
    return bytes_checksum_good(table, length) ? NULL : "checksum";
}

bool acpi_root_entry(const u8 *root, u32 length, unsigned entry_size, unsigned n, u64 *address)
{
    if (n >= (length - ACPI_HEADER_SIZE) / entry_size)
        return false;
    *address = bytes_get(root + ACPI_HEADER_SIZE + (u64)n * entry_size, entry_size);
    return true;
}

/* A text field of fixed width, padded with blanks and zeros at its end. */
static void copy_id(char *to, const u8 *from, unsigned width)
{
    memcpy(to, from, width);
    to[width] = 0;
    while (width && (!to[width - 1] || to[width - 1] == ' '))
        to[--width] = 0;
}

const char *acpi_parse_root(const u8 *table, u32 length, struct acpi_info *info)
{
    (void)length;
    copy_id(info->oem_id, table + 10, 6);
    copy_id(info->oem_table_id, table + 16, 8);
    return NULL;
}

/* Only CPUs that firmware enabled: "online capable" ones are placeholders for hot-plug; each would cost a time-out. */
static void add_cpu(u32 apic_id, u32 flags, struct acpi_info *info)
{
    if (!(flags & 1)) {
        info->cpus_disabled++;
        return;
    }
    for (unsigned i = 0; i < info->cpus; i++)
        if (info->cpu[i].apic_id == apic_id) {
            info->cpus_dropped++;
            return;
        }
    if (info->cpus == ARRAY_SIZE(info->cpu))
        info->cpus_dropped++;
    else
        info->cpu[info->cpus++] = (struct acpi_cpu){.apic_id = apic_id, .enabled = true};
}

static void madt_local_apic(const u8 *entry, struct acpi_info *info)
{
    if (entry[3] != 0xff) /* FFH is the broadcast id */
        add_cpu(entry[3], bytes_get32(entry + 4), info);
}

static void madt_io_apic(const u8 *entry, struct acpi_info *info)
{
    if (info->ioapics < ARRAY_SIZE(info->ioapic))
        info->ioapic[info->ioapics++] = (struct acpi_ioapic){bytes_get32(entry + 4), bytes_get32(entry + 8)};
}

static void madt_apic_address(const u8 *entry, struct acpi_info *info)
{
    info->apic_address = bytes_get64(entry + 4);
}

static void madt_local_x2apic(const u8 *entry, struct acpi_info *info)
{
    if (bytes_get32(entry + 4) != 0xffffffff)
        add_cpu(bytes_get32(entry + 4), bytes_get32(entry + 8), info);
}

struct madt_entry {
    u8 type, size;
    void (*read)(const u8 *entry, struct acpi_info *info);
};

static const struct madt_entry madt_entries[] = {
    {0, 8, madt_local_apic},
    {1, 12, madt_io_apic},
    {5, 12, madt_apic_address},
    {9, 16, madt_local_x2apic},
};

const char *acpi_parse_madt(const u8 *table, u32 length, struct acpi_info *info)
{
    const char *error = NULL;
    if (length < 44)
        return "too short";
    info->madt = true;
    info->apic_address = bytes_get32(table + 36);
    for (u32 at = 44; at < length; at += table[at + 1]) {
        if (length - at < 2 || table[at + 1] < 2 || table[at + 1] > length - at)
            return "entry length";
        for_each_row (madt_entries, entry) {
            if (entry->type != table[at])
                continue;
            if (table[at + 1] < entry->size)
                error = "entry too short";
            else
                entry->read(table + at, info);
        }
    }
    return error;
}
