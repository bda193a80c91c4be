/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What ACPI says about devices: FADT, \_S3 and \_S5 (ACPI Specification, "ACPI Software Programming Model" and "AML
 * Grammar Definition"), HPET, SPCR and DBG2 (documents of their own).
 */
#include "boot/bytes.h"
#include "kernel/firmware/acpi.h"
#include "kernel/text/text.h"

/* A generic address structure: address space, register width and offset in bits, access size, address. */
struct gas {
    u8 space, width, access;
    u64 address;
};

#define SPACE_MEMORY 0
#define SPACE_IO 1

static struct gas get_gas(const u8 *bytes)
{
    return (struct gas){.space = bytes[0], .width = bytes[1], .access = bytes[3], .address = bytes_get64(bytes + 4)};
}

/* A FADT states a register block twice; the extended address counts if it is there and is an I/O port. */
static u32 fadt_port(const u8 *table, u32 length, u32 offset, u32 extended_offset)
{
    u64 port = length >= offset + 4 ? bytes_get32(table + offset) : 0;
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

    u32 flags = bytes_get32(table + 112);

    info->fadt = true;
    info->smi_command = (u16)(bytes_get32(table + 48) <= 0xffff ? bytes_get32(table + 48) : 0);
    info->smi_enable = table[52];
    info->facs_address = length >= 140 && bytes_get64(table + 132) ? bytes_get64(table + 132) : bytes_get32(table + 36);
    info->pm1_event_length = table[88];
    info->pm1a_event = (u16)fadt_port(table, length, 56, 148);
    info->pm1b_event = (u16)fadt_port(table, length, 60, 160);
    info->pm1a_control = (u16)fadt_port(table, length, 64, 172);
    info->pm1b_control = (u16)fadt_port(table, length, 68, 184);
    info->pm_timer = fadt_port(table, length, 76, 208);
    info->pm_timer_32 = flags >> 8 & 1;
    info->rtc_century = table[108] < 128 ? table[108] : 0;
    info->rtc_missing = bytes_get(table + 109, 2) >> 5 & 1;
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
    u64 extended = length >= 148 ? bytes_get64(fadt + 140) : 0;
    return extended ? extended : length >= 44 ? bytes_get32(fadt + 40) : 0;
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

#define GAS_SIZE 12

static bool may_be_uart(const struct gas *gas)
{
    return gas->space == SPACE_MEMORY || (gas->space == SPACE_IO && gas->address <= 0xfff8);
}

/* Access sizes 1, 2, 3 mean byte, word, dword; 0 is "undefined": then the register's width decides. */
static u8 access_width(const struct gas *gas)
{
    return gas->access == 3 || (gas->access == 0 && gas->width == 32) ? 4 : 1;
}

static bool spcr_is_16550(u8 type)
{
    return type == 0 || type == 1 || type == 0x12;
}

/* The table has the clock since its third revision, and an exact rate since its fourth. */
static void spcr_rate(const u8 *table, u32 length, struct acpi_info *info)
{
    static const u32 rates[] = {[3] = 9600, [4] = 19200, [6] = 57600, [7] = 115200};
    u8 rate = table[58], revision = table[8];
    u32 precise = revision >= 4 && length >= 84 ? bytes_get32(table + 80) : 0;
    info->spcr_baud = precise ? precise : rate < ARRAY_SIZE(rates) ? rates[rate] : 0;
    info->spcr_clock = revision >= 3 && length >= 80 ? bytes_get32(table + 76) : 0;
}

const char *acpi_parse_spcr(const u8 *table, u32 length, struct acpi_info *info)
{
    if (length < 59)
        return "too short";

    struct gas gas = get_gas(table + 40);

    if (!gas.address) /* this means that the console is not redirected */
        return NULL;
    if (!spcr_is_16550(table[36]))
        return "not a 16550 UART";
    if (!may_be_uart(&gas))
        return "address space";
    info->spcr = true;
    info->spcr_space = gas.space;
    info->spcr_address = gas.address;
    info->spcr_width = access_width(&gas);
    spcr_rate(table, length, info);
    return NULL;
}

/* The debug device at `at`: takes the address of its registers if it is a serial port. */
#define DBG2_DEVICE_SIZE 22
#define DBG2_SERIAL 0x8000

static bool dbg2_uart(const u8 *table, u32 length, u32 at, struct gas *gas)
{
    const u8 *device = table + at;
    u32 registers = at + (u32)bytes_get(device + 18, 2);
    if ((u32)bytes_get(device + 12, 2) != DBG2_SERIAL || !spcr_is_16550((u8)bytes_get(device + 14, 2)) || device[15] ||
        !device[3] || registers > length - GAS_SIZE)
        return false;
    *gas = get_gas(table + registers);
    return gas->address && may_be_uart(gas);
}

const char *acpi_parse_dbg2(const u8 *table, u32 length, struct acpi_info *info)
{
    if (length < 44)
        return "too short";

    u32 at = bytes_get32(table + 36), count = bytes_get32(table + 40);

    for (; count && at >= 44 && at <= length - DBG2_DEVICE_SIZE && length >= DBG2_DEVICE_SIZE + 44; count--) {
        struct gas gas;
        u32 size = (u32)bytes_get(table + at + 1, 2);
        if (dbg2_uart(table, length, at, &gas)) {
            info->dbg2 = true;
            info->dbg2_space = gas.space;
            info->dbg2_address = gas.address;
            info->dbg2_width = access_width(&gas);
            return NULL;
        }
        if (size < DBG2_DEVICE_SIZE || size > length - at)
            return "debug device";
        at += size;
    }
    return NULL;
}

/* AML's encodings for a package of small numbers. */
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

/* A package begins with its length, whose first byte counts the length bytes that follow, and its number of
 * elements. */
static void sleep_package(const u8 *table, u32 length, u32 at, struct acpi_sleep *sleep)
{
    u8 a, b;
    if (length - at < 3 || table[at] != AML_PACKAGE)
        return;
    at += 1 + 1 + (table[at + 1] >> 6) + 1;
    if (at >= length || !aml_number(table, length, &at, &a))
        return;
    if (!aml_number(table, length, &at, &b))
        b = 0; /* one element is enough without a PM1b block */
    *sleep = (struct acpi_sleep){.known = true, .a = a & 7, .b = b & 7};
}

static void find_sleep(const u8 *table, u32 length, const char *name, struct acpi_sleep *sleep)
{
    for (u32 at = ACPI_HEADER_SIZE + 2; at + 4 <= length && !sleep->known; at++) {
        bool named = table[at - 1] == AML_NAME || (table[at - 1] == AML_ROOT && table[at - 2] == AML_NAME);
        if (named && !memcmp(table + at, name, 4))
            sleep_package(table, length, at + 4, sleep);
    }
}

void acpi_parse_sleep(const u8 *table, u32 length, struct acpi_info *info)
{
    find_sleep(table, length, "_S3_", &info->s3); /* many machines have none */
    find_sleep(table, length, "_S5_", &info->s5);
}
