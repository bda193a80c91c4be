/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of board and BIOS, for the line that identifies the machine. Serial numbers are not read, because logs are
 * meant to be passed on.
 */
#pragma once

#include "boot/bits.h"

#define SMBIOS_TEXT 128

struct smbios_info {
    char board[SMBIOS_TEXT]; /* maker and product of the board, or else of the system; "" if not known */
    char bios[SMBIOS_TEXT];  /* vendor, version and date; "" if not known */
};

/* Reads the names at the first call; needs memory_map(). */
const struct smbios_info *smbios(void);

/*
 * SMBIOS and the way to it from UEFI, as bytes: SMBIOS Specification (DSP0134), types 0, 1 and 2; UEFI Specification,
 * "EFI System Table". A field is used only after a check that it lies within the bytes that may be read. Pure.
 */

#define SMBIOS_ENTRY_SIZE 32      /* enough for either kind of entry point */
#define EFI_SYSTEM_TABLE_SIZE 120 /* in 64-bit firmware; in 32-bit firmware it is smaller */
#define EFI_TABLE_ENTRY_SIZE(pointer) (16 + (pointer))

/* Address and length of the structure table, from an entry point of `size` readable bytes; false if it is broken. */
bool smbios_parse_entry(const u8 *entry, u64 size, u64 *address, u32 *length);
/* Reads the names from a structure table of `length` bytes. */
void smbios_parse(const u8 *table, u32 length, struct smbios_info *info);
/*
 * Number and address of the configuration tables, from a system table; false if it is not a system table. Here and
 * below a pointer has 8 bytes, or 4 in 32-bit firmware.
 */
bool efi_parse_system_table(const u8 *table, unsigned pointer, u64 *count, u64 *address);
/* Address of the SMBIOS entry point among `count` configuration tables, the 64-bit kind preferred; 0: none. */
u64 efi_parse_tables(const u8 *tables, unsigned pointer, u64 count);
