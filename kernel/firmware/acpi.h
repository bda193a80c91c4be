/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The ACPI tables that the image needs, with bounds and checksums checked. A broken table is reported, and the image
 * runs without it.
 */
#pragma once

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
