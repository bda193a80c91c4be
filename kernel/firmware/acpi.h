/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The ACPI tables that the image needs, with bounds and checksums checked. A broken table is reported, and the image
 * runs without it. The parsing is pure (kernel/firmware/acpi_pure.h); this part finds and maps the tables.
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
