/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ACPI tables as bytes. Every function takes a table with the length that may be read, checks that a field lies within
 * that length before it uses it, and returns NULL or what is wrong; *info holds what was read before the error. Pure.
 */
#pragma once

#include "kernel/firmware/acpi.h"

#define ACPI_HEADER_SIZE 36
#define ACPI_TABLE_SIZE_MAX (4u << 20) /* a larger table is rejected */
#define ACPI_RSDP_SIZE 20
#define ACPI_RSDP_SIZE_2 36

/* Addresses of the root tables; 0: not given. */
struct acpi_roots {
    u64 xsdt, rsdt;
};

/* Parses the RSDP at `data`. If only its ACPI 2.0 part is broken, the RSDT is still used and the error reported. */
const char *acpi_parse_rsdp(const u8 *data, u64 size, struct acpi_roots *roots);
/* Reads the table's length from its header of ACPI_HEADER_SIZE bytes. */
const char *acpi_parse_length(const u8 *header, u32 *length);
/* Checks signature, length and checksum of a whole table. */
const char *acpi_check(const u8 *table, u32 length, const char *signature);
/* Address of the n-th table in an RSDT (4-byte entries) or XSDT (8-byte entries); false after the last. */
bool acpi_root_entry(const u8 *root, u32 length, unsigned entry_size, unsigned n, u64 *address);

/* These take tables that have passed acpi_check(). */
const char *acpi_parse_root(const u8 *table, u32 length, struct acpi_info *info); /* fills in the ids only */
const char *acpi_parse_madt(const u8 *table, u32 length, struct acpi_info *info);
const char *acpi_parse_fadt(const u8 *table, u32 length, struct acpi_info *info);
const char *acpi_parse_hpet(const u8 *table, u32 length, struct acpi_info *info);
const char *acpi_parse_spcr(const u8 *table, u32 length, struct acpi_info *info);
const char *acpi_parse_dbg2(const u8 *table, u32 length, struct acpi_info *info);
/* Finds \_S3 and \_S5 in the AML of a DSDT or SSDT, each unless it is known already. */
void acpi_parse_sleep(const u8 *table, u32 length, struct acpi_info *info);
/* Address of the DSDT, from a FADT; 0: none. */
u64 acpi_dsdt_address(const u8 *fadt, u32 length);
