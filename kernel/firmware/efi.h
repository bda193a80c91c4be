/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The firmware's runtime services, as bytes, and whether results may be written by them: UEFI Specification, "EFI
 * Runtime Services Table", "Variable Services", "GetMemoryMap()". A table of the firmware is used only after a check
 * that it is complete and lies in memory that the firmware keeps at runtime. Pure.
 */
#pragma once

#include "boot/boot_info.h"

/* The variable that holds the results, and its file name in Linux's efivarfs. */
#define EFI_VARIABLE_NAME "Pmucheck"
#define EFI_VARIABLE_VENDOR                                                                            \
    {                                                                                                  \
        0x86, 0x2c, 0x1d, 0x7e, 0x4b, 0x93, 0xf1, 0x4a, 0xa6, 0x0c, 0x3e, 0x58, 0xd4, 0x27, 0xb9, 0x61 \
    }
#define EFI_VARIABLE_FILE EFI_VARIABLE_NAME "-7e1d2c86-934b-4af1-a60c-3e58d427b961"
/* The largest size of one variable: old firmware need not take more than 1 KiB, but 2 KiB work on all in use. */
#define EFI_VARIABLE_MOST 2048

#define EFI_RUNTIME_TABLE_SIZE 136 /* up to QueryVariableInfo */

/* Kinds of memory in the firmware's map. */
#define EFI_RUNTIME_CODE 5
#define EFI_RUNTIME_DATA 6
#define EFI_MEMORY_WRITE_BACK BIT(3)

struct efi_services {
    u64 set_variable, query_variable_info; /* entry points */
};

/*
 * NULL if this boot's services may be called at physical addresses: the firmware is 64-bit, and the loader gave its
 * system table and a map of its runtime memory that does not overlap memory that the loader calls free. Else why not.
 */
const char *efi_refusal(const struct boot_info *boot);
/* Address of the runtime services table, from the EFI_SYSTEM_TABLE_SIZE bytes of a 64-bit system table; 0: none. */
u64 efi_runtime_table(const u8 *system_table);
/* Reads a runtime services table of EFI_RUNTIME_TABLE_SIZE bytes. Returns NULL, or what is wrong with it. */
const char *efi_read_services(const struct boot_info *boot, const u8 *table, struct efi_services *services);
/* Is [address, address + length) memory that the firmware keeps at runtime? */
bool efi_is_runtime(const struct boot_info *boot, u64 address, u64 length);
/*
 * NULL if the store stays half empty with `size` more bytes, by the values of QueryVariableInfo: a full store has made
 * machines unusable. Else why not.
 */
const char *efi_room_refusal(u64 store, u64 remaining, u64 largest, u64 size);
/* The meaning of a status that the firmware returned. */
const char *efi_status_text(u64 status);
