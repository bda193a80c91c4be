/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds SMBIOS: at the address that the loader gives, through UEFI's configuration tables, or in the BIOS's ROM. */
#include "boot/boot_info.h"
#include "boot/bytes.h"
#include "kernel/core/memory.h"
#include "kernel/core/option.h"
#include "kernel/firmware/acpi.h"
#include "kernel/text/text.h"

bool smbios_parse_entry(const u8 *entry, u64 size, u64 *address, u32 *length)
{
    if (size >= 24 && !memcmp(entry, "_SM3_", 5)) {
        if (entry[6] < 24 || entry[6] > size || !bytes_checksum_good(entry, entry[6]))
            return false;
        *length = bytes_get32(entry + 12);
        *address = bytes_get64(entry + 16);
        return true;
    }
    /* The 32-bit entry point has a second signature and checksum for its main part. */
    if (size >= 31 && !memcmp(entry, "_SM_", 4) && !memcmp(entry + 16, "_DMI_", 5) &&
        bytes_checksum_good(entry + 16, 15)) {
        *length = (u32)bytes_get(entry + 22, 2);
        *address = bytes_get32(entry + 24);
        return true;
    }
    return false;
}

/* One structure: a formatted part of data[1] bytes, then its strings, each ended by a zero, then one more zero. */
struct structure {
    const u8 *data, *end;
};

/* The string whose number is at `offset`; "" if there is none. */
static const char *string_of(const struct structure *s, u8 offset)
{
    u8 number = offset < s->data[1] ? s->data[offset] : 0;
    const u8 *text = s->data + s->data[1];
    for (; number > 1 && text < s->end && *text; number--)
        while (*text++) /* this ends: the structure ends with two zeros */
            ;
    return number ? (const char *)text : "";
}

/* Where the structure at `data` ends; NULL if that is behind the table's end. */
static const u8 *structure_end(const u8 *data, const u8 *table_end)
{
    if (table_end - data < 4 || data[1] < 4 || table_end - data < data[1] + 2)
        return NULL;
    for (const u8 *at = data + data[1]; at + 1 < table_end; at++)
        if (!at[0] && !at[1])
            return at + 2;
    return NULL;
}

#define TYPE_BIOS 0
#define TYPE_SYSTEM 1
#define TYPE_BOARD 2
#define TYPE_END 127

/* What makers of firmware leave where a name belongs; upper and lower case do not matter. */
static const char *const fillers[] = {
    "to be filled by o.e.m*",
    "default string*",
    "not specified",
    "not applicable",
    "not available",
    "system manufacturer",
    "system product name",
    "base board*",
    "none",
    "n/a",
    "unknown",
    "undefined",
    "type2 - board*",
    "o.e.m*",
    "oem",
    "to be filled by oem*",
    "empty",
    "product name*",
};

static bool says_nothing(const char *name)
{
    char small[SMBIOS_TEXT];
    format_text(small, sizeof(small), "%s", name);
    for (char *c = small; *c; c++)
        *c |= *c >= 'A' && *c <= 'Z' ? 'a' - 'A' : 0;
    for_each_row (fillers, filler)
        if (glob_match(*filler, small))
            return true;
    return !*small;
}

/* Firmware often pads names with blanks. */
static void strip(char *text)
{
    for (size_t length = strlen(text); length && text[length - 1] == ' ';)
        text[--length] = 0;
}

struct names {
    char maker[SMBIOS_TEXT], product[SMBIOS_TEXT]; /* "": none that says anything */
};

static void read_name(const struct structure *s, u8 offset, char *name)
{
    const char *text = string_of(s, offset);
    while (*text == ' ')
        text++;
    format_text(name, SMBIOS_TEXT, "%s", text);
    strip(name);
    if (says_nothing(name))
        *name = 0;
}

static void read_names(const struct structure *s, struct names *names)
{
    read_name(s, 4, names->maker);
    read_name(s, 5, names->product);
}

/* A product says more than a maker alone; of equals the board says more than the system around it. */
static const struct names *better(const struct names *board, const struct names *system)
{
    if (*board->product || *system->product)
        return *board->product ? board : system;
    return *board->maker ? board : system;
}

/* The first board counts, others are riser cards. */
void smbios_parse(const u8 *table, u32 length, struct smbios_info *info)
{
    struct structure s = {.data = table};
    struct names system = {.maker = ""}, board = {.maker = ""};
    bool has_board = false;
    *info = (struct smbios_info){0};
    for (; (s.end = structure_end(s.data, table + length)) && s.data[0] != TYPE_END; s.data = s.end) {
        if (s.data[0] == TYPE_BIOS)
            format_text(info->bios, SMBIOS_TEXT, "%s %s %s", string_of(&s, 4), string_of(&s, 5), string_of(&s, 8));
        else if (s.data[0] == TYPE_SYSTEM)
            read_names(&s, &system);
        else if (s.data[0] == TYPE_BOARD && !has_board)
            read_names(&s, &board);
        has_board |= s.data[0] == TYPE_BOARD;
    }
    const struct names *names = better(&board, &system);
    format_text(info->board, SMBIOS_TEXT, "%s%s%s", names->maker, *names->maker ? " " : "", names->product);
    strip(info->bios);
    strip(info->board);
}

/* After the header of 24 bytes come a pointer, a revision that is aligned like one, and eight more pointers. */
bool efi_parse_system_table(const u8 *table, unsigned pointer, u64 *count, u64 *address)
{
    const u8 *tables = table + 24 + 10 * pointer;
    if (memcmp(table, "IBI SYST", 8))
        return false;
    *count = bytes_get(tables, pointer);
    *address = bytes_get(tables + pointer, pointer);
    return *count && *count <= 1024;
}

static const u8 guids[][16] = {
    {0x44, 0x15, 0xfd, 0xf2, 0x94, 0x97, 0x2c, 0x4a, 0x99, 0x2e, 0xe5, 0xbb, 0xcf, 0x20, 0xe3, 0x94},
    {0x31, 0x2d, 0x9d, 0xeb, 0x88, 0x2d, 0xd3, 0x11, 0x9a, 0x16, 0x00, 0x90, 0x27, 0x3f, 0xc1, 0x4d},
};

u64 efi_parse_tables(const u8 *tables, unsigned pointer, u64 count)
{
    const u32 size = EFI_TABLE_ENTRY_SIZE(pointer);
    for_each_row (guids, guid)
        for (u64 i = 0; i < count; i++)
            if (!memcmp(tables + i * size, *guid, 16))
                return bytes_get(tables + i * size + 16, pointer);
    return 0;
}

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
