/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The ACPI tables that the image needs, with bounds and checksums checked. A broken table is reported, and the image
 * runs without it.
 */
#pragma once

#include "boot/bits.h"
#include "boot/boot_info.h"

struct acpi_cpu {
    u32 apic_id;
    bool enabled;
};

struct acpi_ioapic {
    u32 address, gsi_base;
};

struct acpi_info {
    bool found;                      /* an RSDP with a usable root table */
    char oem_id[7], oem_table_id[9]; /* of the root table, blanks trimmed */
    bool madt;
    u64 apic_address;
    struct acpi_cpu cpu[1024];                  /* the enabled CPUs, each once */
    unsigned cpus, cpus_disabled, cpus_dropped; /* dropped: duplicates, and CPUs for which there was no room */
    struct acpi_ioapic ioapic[16];
    unsigned ioapics;
    bool fadt, reset_supported;
    u16 smi_command;             /* I/O port; 0: none */
    u8 smi_enable;               /* the command that turns ACPI mode on */
    u8 reset_space, reset_value; /* address space: 0 memory, 1 I/O, 2 PCI configuration */
    u64 reset_address;
    u16 pm1a_event, pm1b_event;     /* base I/O ports, where the status registers are; 0: none */
    u16 pm1a_control, pm1b_control; /* base I/O ports; 0: none */
    u32 pm_timer;                   /* I/O port; 0: none */
    bool pm_timer_32;
    u8 rtc_century;   /* the CMOS byte that holds the century; 0: none */
    bool rtc_missing; /* firmware says that there is no CMOS real-time clock */
    struct acpi_sleep {
        bool known;
        u8 a, b; /* SLP_TYP for the two control registers */
    } s3, s5;
    u64 facs_address;    /* 0: none */
    u8 pm1_event_length; /* bytes of an event block: status, then enables */
    u64 hpet_address;    /* 0: none */
    bool spcr;
    u8 spcr_space; /* 0 memory, 1 I/O */
    u64 spcr_address;
    u32 spcr_baud;  /* 0: the rate that firmware set */
    u32 spcr_clock; /* input clock in Hz; 0: not stated */
    u8 spcr_width;  /* access width in bytes */
    bool dbg2;      /* a debug port that is a UART; fields as for SPCR */
    u8 dbg2_space, dbg2_width;
    u64 dbg2_address;
};

/* Reads the tables; logs a line for each that is broken. Call once, after memory_map() works. */
void acpi_init(void);
const struct acpi_info *acpi(void);

/*
 * ACPI tables as bytes. Every function takes a table with the length that may be read, checks that a field lies within
 * that length before it uses it, and returns NULL or what is wrong; *info holds what was read before the error. Pure.
 */

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

/*
 * The firmware's runtime services, as bytes, and whether results may be written by them: UEFI Specification, "EFI
 * Runtime Services Table", "Variable Services", "GetMemoryMap()". A table of the firmware is used only after a check
 * that it is complete and lies in memory that the firmware keeps at runtime. Pure.
 */

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

/*
 * Names of board and BIOS, for the line that identifies the machine. Serial numbers are not read, because logs are
 * meant to be passed on.
 */

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
