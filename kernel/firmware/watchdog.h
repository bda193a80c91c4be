/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The chipset's watchdog as data: which chipsets have Intel's TCO where this image knows it, and in which order its
 * registers are written. Pure. To the 9 series: Intel I/O Controller Hub 9 data sheet, "TCO I/O Registers", "LPC
 * Interface PCI Configuration Registers" and "General Control and Status Register"; the chipsets from hub 6 on have the
 * same registers. From the 100 series (2015) on: the data sheets' "SMBus Configuration Registers (D31:F4)" and "SMBus
 * TCO I/O Registers": the ports and the bit that forbids a reset have moved.
 */
#pragma once

#include "boot/bits.h"

/* ---- Configuration space of the LPC bridge: bus 0, device 31, function 0. */
#define LPC_FUNCTION (31u << 3)
#define LPC_PMBASE 0x40 /* base of the ACPI I/O block, bits 15:7 */
#define PMBASE_ADDRESS MASK(15, 7)
#define LPC_ACPI_CNTL 0x44
#define ACPI_CNTL_ENABLE BIT(7)
#define LPC_RCBA 0xf0 /* base of the chipset's configuration registers in memory */
#define RCBA_ADDRESS MASK(31, 14)
#define RCBA_ENABLE BIT(0)
#define RCBA_GCS 0x3410
#define GCS_NO_REBOOT BIT(5) /* the timer's second expiry does not reset */

/* ---- Configuration space of the SMBus function: device 31, function 4. */
#define SMBUS_FUNCTION (31u << 3 | 4)
#define SMBUS_TCOBASE 0x50 /* base in bits 15:5 */
#define TCOBASE_ADDRESS MASK(15, 5)
#define SMBUS_TCOCTL 0x54
#define TCOCTL_ENABLE BIT(8)

/* ---- The TCO's I/O ports, from PMBASE + 60H or from TCOBASE on. */
#define TCO_OFFSET 0x60
#define TCO_RLD 0x00 /* any write reloads the timer */
#define TCO1_CNT 0x08
#define TCO1_HALT BIT(11)
#define TCO1_NMI_NOW BIT(8)   /* writing a one raises an NMI, or removes its cause */
#define TCO1_NO_REBOOT BIT(0) /* from the 300 series on, in place of the bit in GCS */
#define TCO_TMR 0x12
#define TMR_TICKS MASK(9, 0)
#define TMR_TICK_MS 600

/* The two functions' configuration space; all ones for a function that does not exist. */
struct watchdog_words {
    u32 lpc_id, lpc_class, pmbase, acpi_control, rcba;
    u32 smbus_id, smbus_class, tco_base, tco_control;
};

struct watchdog_place {
    u16 tco;
    u32 gcs; /* address of the register with NO_REBOOT; 0: the bit is in TCO1_CNT */
};

/* Finds this machine's TCO. Returns NULL, or why it cannot be used, with *place unchanged. */
const char *watchdog_find(const struct watchdog_words *words, struct watchdog_place *place);

/* Access to its registers, by offset from place->tco. */
struct watchdog_access {
    u16 (*get)(u16 offset);
    void (*put)(u16 offset, u16 value);
    u32 (*get_gcs)(void);
    void (*put_gcs)(u32 value);
};

/* The registers as they were before the first write. */
struct watchdog_found {
    u16 control, timer;
    u32 gcs;
};

/* Reads the registers; writes nothing. */
struct watchdog_found watchdog_read(const struct watchdog_place *place, const struct watchdog_access *access);
/* Does the timer count, and may it reset the machine? Then firmware or a management controller uses it. */
bool watchdog_runs(const struct watchdog_place *place, const struct watchdog_found *found);
/* Starts the timer: `ticks`, twice, until a reset. Returns NULL, or what is wrong, with all registers restored. */
const char *watchdog_arm(const struct watchdog_place *place, const struct watchdog_access *access,
                         const struct watchdog_found *found, u32 ticks);
/* Sets another time while it is armed; false if the timer does not accept it. */
bool watchdog_count(const struct watchdog_place *place, const struct watchdog_access *access,
                    const struct watchdog_found *found, u32 ticks);
/* Restores all registers; false if one does not read back so. */
bool watchdog_disarm(const struct watchdog_place *place, const struct watchdog_access *access,
                     const struct watchdog_found *found);

/* Ticks that make the second expiry come after at most `seconds`; at least 4: the hardware ignores smaller values. */
u32 watchdog_ticks(u32 seconds);
/* Seconds until the second expiry. */
u32 watchdog_seconds(u32 ticks);

/*
 * A watchdog that needs no CPU: the chipset's timer resets the machine unless the run makes progress in time. It is for
 * a hang that nothing else can end, such as an access that holds all CPUs for good. Only with the option `watchdog`,
 * and only with a known chipset; its registers are restored at the end.
 */

/*
 * Does firmware or a management controller already run a timer that may reset the machine? Then *bound is its time
 * without a reload, in seconds. Reads only. Also false if that cannot be seen.
 */
bool watchdog_runs_already(u32 *bound);
/*
 * Has the machine reset after `seconds` without progress, or the timer's longest time if that is shorter; another call
 * sets another time. Returns NULL, and in *bound the real number of seconds; or why it cannot be done, with nothing
 * changed. Boot CPU only.
 */
const char *watchdog_start(u32 seconds, u32 *bound);
/* The run makes progress. May be called on any CPU at any time; costs little. */
void watchdog_progress(void);
/* Restores all registers; false if one does not read back so. Harmless if the watchdog was never started. */
bool watchdog_stop(void);
