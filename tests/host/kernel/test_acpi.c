/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables built field by field, on the heap at their exact size, so that the sanitiser sees every read beyond the
 * end. */
#include "kernel/firmware/acpi.h"
#include "tests/host/case.h"

#include <stdlib.h>
#include <string.h>

struct field {
    u32 offset;
    unsigned bytes;
    u64 value;
};

static void put(u8 *table, u32 offset, unsigned bytes, u64 value)
{
    for (unsigned i = 0; i < bytes; i++)
        table[offset + i] = (u8)(value >> 8 * i);
}

static void fix_checksum(u8 *table, u32 length, u32 at)
{
    u8 sum = 0;
    table[at] = 0;
    for (u32 i = 0; i < length; i++)
        sum = (u8)(sum + table[i]);
    table[at] = (u8)-sum;
}

/* A table with a valid header around the given fields; the list ends with bytes == 0. */
static u8 *build(const char *signature, u32 length, const struct field *fields)
{
    u8 *table = calloc(1, length);
    memcpy(table, signature, 4);
    put(table, 4, 4, length);
    memcpy(table + 10, "BOCHS ", 6);
    memcpy(table + 16, "BXPC    ", 8);
    for (; fields && fields->bytes; fields++)
        put(table, fields->offset, fields->bytes, fields->value);
    fix_checksum(table, length, 9);
    return table;
}

static struct acpi_info info;

static int clear(void **state)
{
    (void)state;
    memset(&info, 0, sizeof(info));
    return 0;
}

CASE(rsdp)
{
    u8 bytes[36] = "RSD PTR ";
    struct acpi_roots roots;
    put(bytes, 16, 4, 0x7fe0000);
    fix_checksum(bytes, 20, 8);
    assert_null(acpi_parse_rsdp(bytes, 20, &roots));
    assert_true(roots.rsdt == 0x7fe0000 && !roots.xsdt);
    bytes[15] = 2;
    put(bytes, 20, 4, 36);
    put(bytes, 24, 8, 0x17fe00000);
    fix_checksum(bytes, 20, 8);
    assert_string_equal(acpi_parse_rsdp(bytes, 20, &roots), "too short for its revision");
    assert_string_equal(acpi_parse_rsdp(bytes, 36, &roots), "extended checksum");
    assert_true(roots.rsdt == 0x7fe0000 && !roots.xsdt);
    fix_checksum(bytes, 36, 32);
    assert_null(acpi_parse_rsdp(bytes, 36, &roots));
    assert_true(roots.xsdt == 0x17fe00000);
    bytes[17] ^= 1;
    assert_string_equal(acpi_parse_rsdp(bytes, 36, &roots), "checksum");
    assert_true(!roots.rsdt && !roots.xsdt);
    bytes[0] = 'r';
    assert_string_equal(acpi_parse_rsdp(bytes, 36, &roots), "signature");
    assert_string_equal(acpi_parse_rsdp(bytes, 19, &roots), "too short");
}

CASE(headers_and_roots)
{
    static const struct field entries[] = {{36, 8, 0x1122334455667788}, {44, 8, 0x99}, {0}};
    u8 *table = build("XSDT", 53, entries); /* a single byte at the end is no entry */
    u64 address;
    u32 length;
    assert_null(acpi_parse_length(table, &length));
    assert_int_equal(length, 53);
    assert_null(acpi_check(table, 53, "XSDT"));
    assert_string_equal(acpi_check(table, 53, "RSDT"), "signature");
    assert_string_equal(acpi_check(table, 52, "XSDT"), "length");
    assert_true(acpi_root_entry(table, 53, 8, 0, &address) && address == 0x1122334455667788);
    assert_true(acpi_root_entry(table, 53, 8, 1, &address) && address == 0x99);
    assert_false(acpi_root_entry(table, 53, 8, 2, &address));
    assert_true(acpi_root_entry(table, 53, 4, 1, &address) && address == 0x11223344);
    assert_null(acpi_parse_root(table, 53, &info));
    assert_string_equal(info.oem_id, "BOCHS");
    assert_string_equal(info.oem_table_id, "BXPC");
    table[50] ^= 1;
    assert_string_equal(acpi_check(table, 53, "XSDT"), "checksum");
    put(table, 4, 4, 35);
    assert_string_equal(acpi_parse_length(table, &length), "length");
    put(table, 4, 4, 0xffffffff);
    assert_string_equal(acpi_parse_length(table, &length), "length");
    free(table);
}

CASE(madt)
{
    static const struct field fields[] = {
        {36, 4, 0xfee00000}, {44, 2, 0x0800},
        {47, 1, 0},          {48, 4, 1}, /* local APIC 0 */
        {52, 2, 0x0800},     {55, 1, 2},
        {56, 4, 1}, /* local APIC 2 */
        {60, 2, 0x0800},     {63, 1, 4},
        {64, 4, 0}, /* disabled */
        {68, 2, 0x0800},     {71, 1, 6},
        {72, 4, 2}, /* online capable only */
        {76, 2, 0x0800},     {79, 1, 0xff},
        {80, 4, 1}, /* no CPU has this id */
        {84, 2, 0x1009},     {88, 4, 2},
        {92, 4, 1}, /* x2APIC 2: the same CPU again */
        {100, 2, 0x1009},    {104, 4, 300},
        {108, 4, 1}, /* x2APIC 300 */
        {116, 2, 0x0c01},    {120, 4, 0xfec00000},
        {124, 4, 24},                               /* I/O APIC */
        {128, 2, 0x0c05},    {132, 8, 0x1fee00000}, /* address override */
        {140, 2, 0x0440},    {0},                   /* unknown */
    };
    u8 *table = build("APIC", 144, fields);
    assert_null(acpi_parse_madt(table, 144, &info));
    assert_true(info.madt);
    assert_int_equal(info.cpus, 3);
    assert_int_equal(info.cpu[0].apic_id, 0);
    assert_int_equal(info.cpu[1].apic_id, 2);
    assert_int_equal(info.cpu[2].apic_id, 300);
    assert_true(info.cpu[2].enabled);
    assert_int_equal(info.cpus_disabled, 2);
    assert_int_equal(info.cpus_dropped, 1);
    assert_int_equal(info.ioapics, 1);
    assert_int_equal(info.ioapic[0].address, 0xfec00000);
    assert_int_equal(info.ioapic[0].gsi_base, 24);
    assert_true(info.apic_address == 0x1fee00000);
    free(table);
}

CASE(broken_madt)
{
    static const struct {
        u32 length;
        struct field fields[4];
        const char *error;
    } rows[] = {
        {43, {{0}}, "too short"},
        {54, {{44, 2, 0x0800}, {48, 4, 1}, {52, 2, 0}}, "entry length"},
        {54, {{44, 2, 0x0800}, {48, 4, 1}, {52, 2, 0x0800}}, "entry length"},
        {53, {{44, 2, 0x0800}, {48, 4, 1}, {52, 1, 0}}, "entry length"},
        {56, {{44, 2, 0x0800}, {48, 4, 1}, {52, 2, 0x0400}}, "entry too short"},
    };
    for_each_row (rows, row) {
        u8 *table = build("APIC", row->length, row->fields);
        clear(NULL);
        assert_string_equal(acpi_parse_madt(table, row->length, &info), row->error);
        assert_int_equal(info.cpus, row->length > 44);
        free(table);
    }
}

CASE(many_cpus)
{
    enum { CPUS = 1100 };
    u32 length = 44 + 16 * CPUS;
    u8 *table = build("APIC", length, NULL);
    for (u32 i = 0; i < CPUS; i++) {
        put(table, 44 + 16 * i, 2, 0x1009);
        put(table, 44 + 16 * i + 4, 4, 2 * i);
        put(table, 44 + 16 * i + 8, 4, 1);
    }
    assert_null(acpi_parse_madt(table, length, &info));
    assert_int_equal(info.cpus, 1024);
    assert_int_equal(info.cpus_dropped, CPUS - 1024);
    assert_int_equal(info.cpu[1023].apic_id, 2 * 1023);
    free(table);
}

CASE(fadt)
{
    static const struct field fields[] = {
        {40, 4, 0x7fe1000},   {48, 4, 0xb2},
        {52, 1, 0xf1},        {56, 4, 0x600},
        {60, 4, 0x1900},      {148, 1, 1},
        {152, 8, 0x1800},     {160, 1, 0},
        {164, 8, 0x5555},     {64, 4, 0x604},
        {68, 4, 0},           {76, 4, 0x608},
        {108, 1, 0x32},       {109, 2, 0x23},
        {112, 4, 0x500},      {116, 4, 0x801},
        {120, 8, 0xcf9},      {128, 1, 0x0f},
        {140, 8, 0x17fe1000}, {172, 1, 1},
        {176, 8, 0x1804},     {184, 1, 0},
        {188, 8, 0x5555},     {208, 1, 1},
        {212, 8, 0x10000608}, {0},
    };
    u8 *table = build("FACP", 244, fields);
    assert_null(acpi_parse_fadt(table, 244, &info));
    assert_true(info.fadt && info.reset_supported && info.pm_timer_32);
    assert_int_equal(info.reset_space, 1);
    assert_int_equal(info.reset_address, 0xcf9);
    assert_int_equal(info.reset_value, 0x0f);
    assert_int_equal(info.smi_command, 0xb2);
    assert_int_equal(info.smi_enable, 0xf1);
    assert_int_equal(info.pm1a_event, 0x1800);
    assert_int_equal(info.pm1b_event, 0x1900);
    assert_int_equal(info.pm1a_control, 0x1804); /* the extended block wins */
    assert_int_equal(info.pm1b_control, 0);      /* but not as memory */
    assert_int_equal(info.pm_timer, 0);          /* nor outside the I/O space */
    assert_int_equal(info.rtc_century, 0x32);
    assert_true(info.rtc_missing);
    assert_true(acpi_dsdt_address(table, 244) == 0x17fe1000);
    put(table, 140, 8, 0);
    assert_true(acpi_dsdt_address(table, 244) == 0x7fe1000);
    free(table);

    table = build("FACP", 116, fields + ARRAY_SIZE(fields) - 1);
    put(table, 64, 4, 0xb004);
    put(table, 76, 4, 0xb008);
    put(table, 108, 1, 0x80); /* lies outside the clock's 128 bytes */
    put(table, 112, 4, 0x400);
    memset(&info, 0, sizeof(info));
    assert_null(acpi_parse_fadt(table, 116, &info));
    assert_int_equal(info.pm1a_control, 0xb004);
    assert_int_equal(info.pm_timer, 0xb008);
    assert_int_equal(info.rtc_century, 0);
    assert_false(info.reset_supported || info.pm_timer_32 || info.rtc_missing);
    assert_string_equal(acpi_parse_fadt(table, 115, &info), "too short");
    free(table);
}

CASE(hpet_and_spcr)
{
    static const struct field hpet[] = {{40, 1, 0}, {44, 8, 0xfed00000}, {0}};
    static const struct field spcr[] = {{36, 1, 0x12}, {40, 4, 0x03002000}, {44, 8, 0xfe034000},
                                        {58, 1, 7},    {76, 4, 100000000},  {0}};
    u8 *table = build("HPET", 56, hpet);
    assert_null(acpi_parse_hpet(table, 56, &info));
    assert_true(info.hpet_address == 0xfed00000);
    assert_string_equal(acpi_parse_hpet(table, 55, &info), "too short");
    table[40] = 1;
    assert_string_equal(acpi_parse_hpet(table, 56, &info), "address space");
    free(table);

    table = build("SPCR", 80, spcr);
    assert_null(acpi_parse_spcr(table, 80, &info));
    assert_true(info.spcr && info.spcr_address == 0xfe034000);
    assert_int_equal(info.spcr_space, 0);
    assert_int_equal(info.spcr_baud, 115200);
    assert_int_equal(info.spcr_width, 4);
    assert_int_equal(info.spcr_clock, 0);
    table[8] = 3;
    assert_null(acpi_parse_spcr(table, 80, &info));
    assert_int_equal(info.spcr_clock, 100000000);
    assert_null(acpi_parse_spcr(table, 79, &info));
    assert_int_equal(info.spcr_clock, 0);
    table[8] = 4;
    assert_null(acpi_parse_spcr(table, 80, &info));
    assert_int_equal(info.spcr_baud, 115200);
    info.spcr = false;
    table[36] = 3;
    assert_string_equal(acpi_parse_spcr(table, 80, &info), "not a 16550 UART");
    table[36] = 0;
    table[40] = 1;
    assert_string_equal(acpi_parse_spcr(table, 80, &info), "address space");
    put(table, 44, 8, 0);
    assert_null(acpi_parse_spcr(table, 80, &info));
    assert_false(info.spcr);
    assert_string_equal(acpi_parse_spcr(table, 58, &info), "too short");
    free(table);
}

/* Two debug devices: one on USB, and a UART whose register addresses lie after its fields. */
CASE(debug_port)
{
    static const struct field fields[] = {
        {36, 4, 44}, {40, 4, 2},                                               /* the devices */
        {45, 2, 30}, {47, 1, 1},          {56, 2, 0x8002},      {62, 2, 22},   /* the first */
        {75, 2, 34}, {77, 1, 1},          {86, 2, 0x8000},      {88, 2, 0x12}, /* the second: a 16550 */
        {92, 2, 22}, {96, 4, 0x03002000}, {100, 8, 0xfe034000}, {0},
    };
    u8 *table = build("DBG2", 108, fields);
    assert_null(acpi_parse_dbg2(table, 108, &info));
    assert_true(info.dbg2 && info.dbg2_address == 0xfe034000);
    assert_int_equal(info.dbg2_space, 0);
    assert_int_equal(info.dbg2_width, 4);
    info.dbg2 = false;
    put(table, 88, 2, 3); /* another kind of UART */
    assert_null(acpi_parse_dbg2(table, 108, &info));
    assert_false(info.dbg2);
    put(table, 88, 2, 0);
    put(table, 92, 2, 23); /* registers outside the table */
    assert_null(acpi_parse_dbg2(table, 108, &info));
    assert_false(info.dbg2);
    put(table, 45, 2, 0);
    assert_string_equal(acpi_parse_dbg2(table, 108, &info), "debug device");
    assert_string_equal(acpi_parse_dbg2(table, 43, &info), "too short");
    free(table);
}

CASE(sleep_state_5)
{
    static const struct {
        const char *aml;
        u32 size;
        bool found;
        u8 a, b;
    } rows[] = {
        {"\x08_S5_\x12\x06\x04\x0a\x05\x0a\x07\x00\x00", 14, true, 5, 7},
        {"xx\x08\\_S5_\x12\x06\x04\x00\x01\x00\x00", 15, true, 0, 1},
        {"\x08_S5_\x12\x40\x06\x04\x0a\x05\x0a\x07\x00\x00", 15, true, 5, 7}, /* length in two bytes */
        {"\x08_S5_\x12\x03\x01\x0a\x05", 10, true, 5, 0},
        {"\x08_S5_\x12\x03\x01\x0a", 9, false, 0, 0},
        {"\x08_S5_\x12\xc6", 7, false, 0, 0},
        {"\x10_S5_\x12\x06\x04\x0a\x05\x0a\x07\x00\x00", 14, false, 0, 0}, /* a scope, not a name */
        {"\x08_S4_\x12\x06\x04\x0a\x05\x0a\x07\x00\x00", 14, false, 0, 0},
        {"", 0, false, 0, 0},
        {"\x08_S3_\x12\x06\x04\x0a\x01\x0a\x01\x00\x00\x08_S5_\x12\x03\x01\x0a\x05", 24, true, 5, 0},
    };
    for_each_row (rows, row) {
        u32 length = ACPI_HEADER_SIZE + 1 + row->size;
        u8 *table = calloc(1, length);
        memcpy(table + length - row->size, row->aml, row->size);
        clear(NULL);
        acpi_parse_sleep(table, length, &info);
        assert_int_equal(info.s5.known, row->found);
        assert_int_equal(info.s5.a, row->a);
        assert_int_equal(info.s5.b, row->b);
        free(table);
    }
}

static void parse_sleep(const char *aml, u32 size)
{
    u32 length = ACPI_HEADER_SIZE + size;
    u8 *table = calloc(1, length);
    memcpy(table + ACPI_HEADER_SIZE, aml, size);
    acpi_parse_sleep(table, length, &info);
    free(table);
}

/* The DSDT has one state and an SSDT the other; what was found first stays. */
CASE(sleep_states_of_several_tables)
{
    parse_sleep("\x08\x46OO_\x00", 6);
    parse_sleep("\x08\\_S5_\x12\x06\x04\x0a\x05\x0a\x07\x00\x00", 15);
    assert_false(info.s3.known);
    parse_sleep("\x08\\_S3_\x12\x06\x04\x01\x01\x00\x00\x08\\_S5_\x12\x06\x04\x01\x01\x00\x00", 26);
    assert_int_equal(info.s3.a, 1);
    assert_int_equal(info.s5.a, 5);
    assert_int_equal(info.s5.b, 7);
}

int main(void)
{
    return run_cases_in((struct around_cases){.before_each = clear});
}
