/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/firmware/acpi.h"
#include "tests/host/case.h"

#include <stdlib.h>
#include <string.h>

static void fix_checksum(u8 *bytes, u32 length, u32 at)
{
    u8 sum = 0;
    bytes[at] = 0;
    for (u32 i = 0; i < length; i++)
        sum = (u8)(sum + bytes[i]);
    bytes[at] = (u8)-sum;
}

CASE(entry_points)
{
    u8 new_entry[24] = "_SM3_", old_entry[31] = "_SM_";
    u64 address = 0;
    u32 length = 0;
    new_entry[6] = 24;
    new_entry[12] = 0x40;
    new_entry[13] = 0x01;
    new_entry[19] = 0x7f;
    fix_checksum(new_entry, 24, 5);
    assert_true(smbios_parse_entry(new_entry, 24, &address, &length));
    assert_int_equal(length, 0x140);
    assert_int_equal(address, 0x7f000000);
    new_entry[6] = 25;
    assert_false(smbios_parse_entry(new_entry, 24, &address, &length));

    memcpy(old_entry + 16, "_DMI_", 5);
    old_entry[23] = 2;
    old_entry[26] = 0x0f;
    fix_checksum(old_entry + 16, 15, 5);
    assert_true(smbios_parse_entry(old_entry, 31, &address, &length));
    assert_int_equal(length, 0x200);
    assert_int_equal(address, 0xf0000);
    assert_false(smbios_parse_entry(old_entry, 30, &address, &length));
    old_entry[26] ^= 1;
    assert_false(smbios_parse_entry(old_entry, 31, &address, &length));
}

/* On the heap at exact size, so that the sanitiser sees every read beyond the end. */
static void parse(const char *table, size_t length, struct smbios_info *info)
{
    u8 *copy = malloc(length);
    memcpy(copy, table, length);
    smbios_parse(copy, (u32)length, info);
    free(copy);
}

#define BIOS "\x00\x09\x00\x00\x01\x02\x00\xf0\x03Vendor\0001.2\0002024-01-31\0\0"
#define SYSTEM "\x01\x06\x01\x00\x01\x02Maker\0System\0\0"
#define BOARD "\x02\x06\x02\x00\x01\x02Maker\0Board\0\0"
#define RISER "\x02\x06\x03\x00\x01\x02Maker\0Riser\0\0"
#define END "\x7f\x04\x7f\x00\0\0"

CASE(names)
{
    static const char all[] = BIOS SYSTEM BOARD RISER END, no_board[] = SYSTEM END, board_first[] = BOARD SYSTEM END;
    struct smbios_info info;
    parse(all, sizeof(all) - 1, &info);
    assert_string_equal(info.bios, "Vendor 1.2 2024-01-31");
    assert_string_equal(info.board, "Maker Board");
    parse(no_board, sizeof(no_board) - 1, &info);
    assert_string_equal(info.board, "Maker System");
    assert_string_equal(info.bios, "");
    parse(board_first, sizeof(board_first) - 1, &info);
    assert_string_equal(info.board, "Maker Board");
}

#define NAMES(type, maker, product) type "\x06\x01\x00\x01\x02" maker "\0" product "\0\0"
#define SYSTEM_OF(maker, product) NAMES("\x01", maker, product)
#define BOARD_OF(maker, product) NAMES("\x02", maker, product)

/* What says nothing is left out, whether it is blank, a filler, or a string that is not there. */
CASE(names_that_say_nothing)
{
    static const struct {
        const char *table;
        size_t length;
        const char *board;
    } rows[] = {
#define ROW(table, board) {table END, sizeof(table END) - 1, board}
        ROW(SYSTEM BOARD_OF("   ", "  "), "Maker System"),
        ROW(BOARD_OF("   ", "  ") SYSTEM, "Maker System"),
        ROW(SYSTEM "\x02\x06\x02\x00\x07\x08Maker\0\0", "Maker System"),
        ROW(SYSTEM BOARD_OF("Board Inc.", "To be filled by O.E.M."), "Maker System"),
        ROW(SYSTEM_OF("To Be Filled By O.E.M.", "Default string") BOARD, "Maker Board"),
        ROW(SYSTEM_OF("System manufacturer", "System Product Name") BOARD_OF("Inc.", "Default string "), "Inc."),
        ROW(SYSTEM_OF("Default string", "Default string") BOARD_OF(" Inc. ", " X9 "), "Inc. X9"),
        ROW(SYSTEM_OF("Supermicro", "X9") BOARD_OF("Supermicro", "To be filled by O.E.M."), "Supermicro X9"),
        ROW(SYSTEM_OF("None", "Not Specified"), ""),
#undef ROW
    };
    for_each_row (rows, row) {
        struct smbios_info info;
        parse(row->table, row->length, &info);
        assert_string_equal(info.board, row->board);
    }
}

CASE(every_cut_is_survived)
{
    static const char all[] = BIOS SYSTEM BOARD END, odd[] = "\x02\x06\x00\x00\x09\x02One\0\0" BOARD;
    struct smbios_info info;
    for (size_t length = 1; length < sizeof(all); length++)
        parse(all, length, &info);
    parse(odd, sizeof(odd) - 1, &info); /* string numbers that do not exist */
    assert_string_equal(info.board, "");
}

/* 64-bit firmware, and 32-bit firmware under a 64-bit CPU: the same fields, with shorter pointers. */
static void efi_tables(unsigned pointer, u32 number, u8 entry)
{
    u8 system[EFI_SYSTEM_TABLE_SIZE] = "IBI SYST", tables[2 * EFI_TABLE_ENTRY_SIZE(8)] = {0};
    static const u8 guid[16] = {0x31, 0x2d, 0x9d, 0xeb, 0x88, 0x2d, 0xd3, 0x11,
                                0x9a, 0x16, 0x00, 0x90, 0x27, 0x3f, 0xc1, 0x4d};
    u64 count, address;
    assert_false(efi_parse_system_table(system, pointer, &count, &address));
    system[number] = 2;
    system[number + pointer + 1] = 0x10;
    assert_true(efi_parse_system_table(system, pointer, &count, &address));
    assert_int_equal(count, 2);
    assert_int_equal(address, 0x1000);
    assert_int_equal(efi_parse_tables(tables, pointer, 2), 0);
    memcpy(tables + entry, guid, 16);
    tables[entry + 17] = 0x20;
    assert_int_equal(efi_parse_tables(tables, pointer, 2), 0x2000);
    system[number + 3] = 1;
    assert_false(efi_parse_system_table(system, pointer, &count, &address));
    system[0] = 'x';
    assert_false(efi_parse_system_table(system, pointer, &count, &address));
}

CASE(efi_tables_of_both_sizes)
{
    efi_tables(8, 104, 24);
    efi_tables(4, 64, 20);
}

int main(void)
{
    return run_cases();
}
