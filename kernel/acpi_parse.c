/* Layouts: ACPI Specification, "ACPI Software Programming Model"; HPET and SPCR have documents of their own. */
#include "kernel/acpi_parse.h"
#include "kernel/string.h"

static u64 get(const u8 *bytes, unsigned count)
{
    u64 value = 0;

    while (count--)
        value = value << 8 | bytes[count];
    return value;
}

static u32 get32(const u8 *bytes)
{
    return (u32)get(bytes, 4);
}

static u64 get64(const u8 *bytes)
{
    return get(bytes, 8);
}

static bool sums_to_zero(const u8 *bytes, u64 length)
{
    u8 sum = 0;

    while (length--)
        sum = (u8)(sum + *bytes++);
    return !sum;
}

const char *acpi_parse_rsdp(const u8 *data, u64 size, struct acpi_roots *roots)
{
    *roots = (struct acpi_roots){0};
    if (size < ACPI_RSDP_SIZE)
        return "too short";
    if (memcmp(data, "RSD PTR ", 8))
        return "signature";
    if (!sums_to_zero(data, ACPI_RSDP_SIZE))
        return "checksum";
    roots->rsdt = get32(data + 16);
    if (data[15] < 2)
        return NULL;
    if (size < ACPI_RSDP_SIZE_2 || get32(data + 20) < ACPI_RSDP_SIZE_2)
        return "too short for its revision";
    if (!sums_to_zero(data, ACPI_RSDP_SIZE_2))
        return "extended checksum";
    roots->xsdt = get64(data + 24);
    return NULL;
}

const char *acpi_parse_length(const u8 *header, u32 *length)
{
    *length = get32(header + 4);
    return *length < ACPI_HEADER_SIZE || *length > ACPI_TABLE_SIZE_MAX ? "length" : NULL;
}

const char *acpi_check(const u8 *table, u32 length, const char *signature)
{
    if (length < ACPI_HEADER_SIZE || get32(table + 4) != length)
        return "length";
    if (memcmp(table, signature, 4))
        return "signature";
    return sums_to_zero(table, length) ? NULL : "checksum";
}

bool acpi_root_entry(const u8 *root, u32 length, unsigned entry_size, unsigned n, u64 *address)
{
    if (n >= (length - ACPI_HEADER_SIZE) / entry_size)
        return false;
    *address = get(root + ACPI_HEADER_SIZE + (u64)n * entry_size, entry_size);
    return true;
}

/* A text field of fixed width; blanks and zeros at its end are filling. */
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

/* Only CPUs that firmware enabled; "online capable" ones are placeholders for hot-plug and would cost a time-out each.
 */
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
    if (entry[3] != 0xff) /* the broadcast id is nobody's */
        add_cpu(entry[3], get32(entry + 4), info);
}

static void madt_io_apic(const u8 *entry, struct acpi_info *info)
{
    if (info->ioapics < ARRAY_SIZE(info->ioapic))
        info->ioapic[info->ioapics++] = (struct acpi_ioapic){get32(entry + 4), get32(entry + 8)};
}

static void madt_apic_address(const u8 *entry, struct acpi_info *info)
{
    info->apic_address = get64(entry + 4);
}

static void madt_local_x2apic(const u8 *entry, struct acpi_info *info)
{
    if (get32(entry + 4) != 0xffffffff)
        add_cpu(get32(entry + 4), get32(entry + 8), info);
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
    info->apic_address = get32(table + 36);
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

/* A generic address structure: address space, register width and offset in bits, access size, address. */
struct gas {
    u8 space, width, access;
    u64 address;
};

#define SPACE_MEMORY 0
#define SPACE_IO 1

static struct gas get_gas(const u8 *bytes)
{
    return (struct gas){.space = bytes[0], .width = bytes[1], .access = bytes[3], .address = get64(bytes + 4)};
}

/* A FADT names a register block twice; the extended name wins where there is one and it is an I/O port. */
static u32 fadt_port(const u8 *table, u32 length, u32 offset, u32 extended_offset)
{
    u64 port = length >= offset + 4 ? get32(table + offset) : 0;

    if (length >= extended_offset + 12) {
        struct gas gas = get_gas(table + extended_offset);

        if (gas.space == SPACE_IO && gas.address)
            port = gas.address;
    }
    return port <= 0xffff ? (u32)port : 0;
}

const char *acpi_parse_fadt(const u8 *table, u32 length, struct acpi_info *info)
{
    if (length < 116)
        return "too short";

    u32 flags = get32(table + 112);

    info->fadt = true;
    info->pm1a_control = (u16)fadt_port(table, length, 64, 172);
    info->pm1b_control = (u16)fadt_port(table, length, 68, 184);
    info->pm_timer = fadt_port(table, length, 76, 208);
    info->pm_timer_32 = flags >> 8 & 1;
    if (flags >> 10 & 1 && length >= 129) {
        struct gas gas = get_gas(table + 116);

        info->reset_supported = gas.address != 0;
        info->reset_space = gas.space;
        info->reset_address = gas.address;
        info->reset_value = table[128];
    }
    return NULL;
}

u64 acpi_dsdt_address(const u8 *fadt, u32 length)
{
    u64 extended = length >= 148 ? get64(fadt + 140) : 0;

    return extended ? extended : length >= 44 ? get32(fadt + 40) : 0;
}

const char *acpi_parse_hpet(const u8 *table, u32 length, struct acpi_info *info)
{
    if (length < 56)
        return "too short";

    struct gas gas = get_gas(table + 40);

    if (gas.space != SPACE_MEMORY)
        return "address space";
    info->hpet_address = gas.address;
    return NULL;
}

static bool spcr_is_16550(u8 type)
{
    return type == 0 || type == 1 || type == 0x12;
}

const char *acpi_parse_spcr(const u8 *table, u32 length, struct acpi_info *info)
{
    static const u32 rates[] = {[3] = 9600, [4] = 19200, [6] = 57600, [7] = 115200};

    if (length < 59)
        return "too short";

    struct gas gas = get_gas(table + 40);
    u8 rate = table[58];

    if (!gas.address) /* firmware's way of saying that the console is not redirected */
        return NULL;
    if (!spcr_is_16550(table[36]))
        return "not a 16550 UART";
    if (gas.space != SPACE_MEMORY && !(gas.space == SPACE_IO && gas.address <= 0xfff8))
        return "address space";
    info->spcr = true;
    info->spcr_space = gas.space;
    info->spcr_address = gas.address;
    info->spcr_baud = rate < ARRAY_SIZE(rates) ? rates[rate] : 0;
    /* Access sizes count 1, 2, 3 for byte, word, dword; 0 is "undefined", and then the register's width tells. */
    info->spcr_width = gas.access == 3 || (gas.access == 0 && gas.width == 32) ? 4 : 1;
    return NULL;
}

/* AML, "AML Grammar Definition": the encodings that a package of small numbers uses. */
#define AML_ZERO 0x00
#define AML_ONE 0x01
#define AML_NAME 0x08
#define AML_BYTE 0x0a
#define AML_PACKAGE 0x12
#define AML_ROOT '\\'

static bool aml_number(const u8 *table, u32 length, u32 *at, u8 *value)
{
    if (*at < length && (table[*at] == AML_ZERO || table[*at] == AML_ONE)) {
        *value = table[(*at)++];
        return true;
    }
    if (length - *at < 2 || *at >= length || table[*at] != AML_BYTE)
        return false;
    *value = table[*at + 1];
    *at += 2;
    return true;
}

/* A package begins with its length, whose first byte says how many more there are, and its number of elements. */
static bool s5_package(const u8 *table, u32 length, u32 at, struct acpi_info *info)
{
    u8 a, b;

    if (length - at < 3 || table[at] != AML_PACKAGE)
        return false;
    at += 1 + 1 + (table[at + 1] >> 6) + 1;
    if (at >= length || !aml_number(table, length, &at, &a))
        return false;
    if (!aml_number(table, length, &at, &b))
        b = 0; /* one element is enough where there is no PM1b */
    info->s5_a = a & 7;
    info->s5_b = b & 7;
    info->s5 = true;
    return true;
}

const char *acpi_parse_dsdt(const u8 *table, u32 length, struct acpi_info *info)
{
    for (u32 at = ACPI_HEADER_SIZE + 2; at + 4 <= length; at++) {
        bool named = table[at - 1] == AML_NAME || (table[at - 1] == AML_ROOT && table[at - 2] == AML_NAME);

        if (named && !memcmp(table + at, "_S5_", 4) && s5_package(table, length, at + 4, info))
            return NULL;
    }
    return "no \\_S5 package";
}
