/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables as bytes, and the list of CPUs: ACPI Specification, "ACPI Software Programming Model". */
#include "kernel/firmware/acpi.h"
#include "boot/bytes.h"
#include "kernel/core/memory.h"
#include "kernel/core/option.h"
#include "kernel/log/log.h"
#include "kernel/text/text.h"

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

/* ---- Finding the tables in memory, and mapping them. */

static struct acpi_info info;

static void complain(const char *table, u64 address, const char *error)
{
    log_line("# acpi table=%s address=0x%lx error=\"%s\"", table, (unsigned long)address, error);
}

/* Page 0 stays unmapped. */
static const u8 *map(u64 address, u64 length)
{
    return address < PAGE_SIZE ? NULL : memory_map(address, length, MEMORY_FIRMWARE);
}

/* The whole table at `address`, checked; NULL, with a line in the log, if it is broken. */
static const u8 *table_at(u64 address, const char *signature, u32 *length)
{
    const u8 *table = map(address, ACPI_HEADER_SIZE);
    const char *error = table ? acpi_parse_length(table, length) : "address";
    if (!error && !map(address, *length))
        error = "address";
    if (!error)
        error = acpi_check(table, *length, signature);
    if (!error)
        return table;
    complain(signature, address, error);
    return NULL;
}

/* Where a BIOS may leave the RSDP: on a 16-byte boundary of the EBDA, which ends at A0000H, or of its ROM. */
static const struct {
    u64 start, end;
} scanned[] = {{0x80000, 0xa0000}, {0xe0000, 0x100000}};

static const u8 *scan_for_rsdp(void)
{
    struct acpi_roots roots;
    for_each_row (scanned, range) {
        const u8 *start = map(range->start, range->end - range->start);
        for (const u8 *at = start; at && at < start + (range->end - range->start); at += 16) {
            u64 left = range->end - (u64)at;
            acpi_parse_rsdp(at, left, &roots);
            if (roots.rsdt || roots.xsdt)
                return at;
        }
    }
    return NULL;
}

OPTION(rsdp, .kind = OPTION_NUMBER, .argument = "ADDRESS", .minimum = 1, .maximum = ~0ull,
       .help = "where ACPI's RSDP is, if the loader does not say (kexec on UEFI)");

/* From the address in the option, for a loader that gave no copy of the RSDP. */
static const char *option_roots(struct acpi_roots *roots)
{
    const u8 *rsdp = option_rsdp.given ? map(option_rsdp.number, ACPI_RSDP_SIZE_2) : NULL;
    return rsdp ? acpi_parse_rsdp(rsdp, ACPI_RSDP_SIZE_2, roots) : "no RSDP";
}

/* From the loader's copy of the RSDP; if that is broken or missing, from the RSDP in a BIOS's memory. */
static struct acpi_roots find_roots(void)
{
    const struct boot_info *boot = boot_info();
    struct acpi_roots roots = {0};
    const char *error = boot->rsdp_size ? acpi_parse_rsdp(boot->rsdp, boot->rsdp_size, &roots) : option_roots(&roots);
    if (!error)
        return roots;
    const u8 *found = boot->efi ? NULL : scan_for_rsdp();
    if (boot->rsdp_size || !found)
        complain("RSDP", (u64)boot->rsdp, error);
    if (found)
        acpi_parse_rsdp(found, ACPI_RSDP_SIZE_2, &roots);
    return roots;
}

static u64 dsdt; /* its address; 0: none */

/* Sleep states are in the DSDT, or in one of the SSDTs, which only add to it. */
static void read_definitions(u64 address, const char *signature)
{
    u32 length;
    const u8 *table = address ? table_at(address, signature, &length) : NULL;
    if (table)
        acpi_parse_sleep(table, length, &info);
}

static const char *read_fadt(const u8 *table, u32 length, struct acpi_info *into)
{
    const char *error = acpi_parse_fadt(table, length, into);
    if (!error)
        dsdt = acpi_dsdt_address(table, length);
    return error;
}

static struct reader {
    const char *signature;
    const char *(*read)(const u8 *table, u32 length, struct acpi_info *info);
    bool done; /* some firmware has two tables of a kind: the first one counts */
} readers[] = {
    {"APIC", acpi_parse_madt, false}, {"FACP", read_fadt, false},       {"HPET", acpi_parse_hpet, false},
    {"SPCR", acpi_parse_spcr, false}, {"DBG2", acpi_parse_dbg2, false},
};

static void read_table(u64 address)
{
    const u8 *header = map(address, ACPI_HEADER_SIZE);
    if (!header) {
        complain("unknown", address, "address");
        return;
    }
    for (struct reader *reader = readers; reader < readers + ARRAY_SIZE(readers); reader++) {
        const u8 *table;
        u32 length;
        if (reader->done || memcmp(header, reader->signature, 4))
            continue;
        table = table_at(address, reader->signature, &length);
        if (table) {
            const char *error = reader->read(table, length, &info);
            reader->done = true;
            if (error)
                complain(reader->signature, address, error);
        }
    }
}

/* SSDTs, which may be dozens, are read only for what the DSDT lacks. */
static void read_ssdt(u64 address)
{
    const u8 *header = map(address, ACPI_HEADER_SIZE);
    if (header && !memcmp(header, "SSDT", 4) && !(info.s3.known && info.s5.known))
        read_definitions(address, "SSDT");
}

static void for_each_table(const u8 *root, u32 length, unsigned entry_size, void (*read)(u64 address))
{
    u64 entry;
    for (unsigned n = 0; acpi_root_entry(root, length, entry_size, n, &entry); n++)
        if (entry)
            read(entry);
}

/* False if the root table is unusable. */
static bool read_root(u64 address, const char *signature, unsigned entry_size)
{
    u32 length;
    const u8 *root = address ? table_at(address, signature, &length) : NULL;
    if (!root)
        return false;
    info.found = true;
    acpi_parse_root(root, length, &info);
    for_each_table(root, length, entry_size, read_table);
    read_definitions(dsdt, "DSDT");
    for_each_table(root, length, entry_size, read_ssdt);
    if (info.fadt && !info.s5.known)
        complain("DSDT", dsdt, "no \\_S5 package, nor in an SSDT: the machine cannot be switched off");
    return true;
}

void acpi_init(void)
{
    struct acpi_roots roots = find_roots();
    if (!read_root(roots.xsdt, "XSDT", 8))
        read_root(roots.rsdt, "RSDT", 4);
    log_line("# acpi oem=\"%s\" table=\"%s\" cpus=%u disabled=%u dropped=%u ioapics=%u hpet=0x%lx pm-timer=0x%x",
             info.oem_id, info.oem_table_id, info.cpus, info.cpus_disabled, info.cpus_dropped, info.ioapics,
             (unsigned long)info.hpet_address, info.pm_timer);
}

const struct acpi_info *acpi(void)
{
    return &info;
}
