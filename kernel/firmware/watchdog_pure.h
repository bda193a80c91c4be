/*
 * The chipset's watchdog as data: which chipsets have Intel's TCO where this image knows it, and in which order its
 * registers are written. Pure. To the 9 series: Intel I/O Controller Hub 9 data sheet, "TCO I/O Registers", "LPC
 * Interface PCI Configuration Registers" and "General Control and Status Register"; the hubs and chipsets from the
 * sixth hub on have the same. From the 100 series (2015) on: the data sheets' "SMBus Configuration Registers (D31:F4)"
 * and "SMBus TCO I/O Registers": the ports have moved, and so has the bit that forbids a reset.
 */
#pragma once

#include "boot/bits.h"

/* ---- Configuration space of the LPC bridge, device 31 function 0 of bus 0. */
#define LPC_FUNCTION (31u << 3)
#define LPC_PMBASE 0x40 /* of the ACPI I/O block, bits 15:7 */
#define PMBASE_ADDRESS MASK(15, 7)
#define LPC_ACPI_CNTL 0x44
#define ACPI_CNTL_ENABLE BIT(7)
#define LPC_RCBA 0xf0 /* of the chipset's configuration registers in memory */
#define RCBA_ADDRESS MASK(31, 14)
#define RCBA_ENABLE BIT(0)
#define RCBA_GCS 0x3410
#define GCS_NO_REBOOT BIT(5) /* a timer that has expired twice does not reset */

/* ---- Of the SMBus function, device 31 function 4. */
#define SMBUS_FUNCTION (31u << 3 | 4)
#define SMBUS_TCOBASE 0x50 /* bits 15:5 */
#define TCOBASE_ADDRESS MASK(15, 5)
#define SMBUS_TCOCTL 0x54
#define TCOCTL_ENABLE BIT(8)

/* ---- The TCO's I/O ports, from PMBASE + 60H on, or from TCOBASE on. */
#define TCO_OFFSET 0x60
#define TCO_RLD 0x00 /* any write loads the timer anew */
#define TCO1_CNT 0x08
#define TCO1_HALT BIT(11)
#define TCO1_NMI_NOW BIT(8)   /* a one that is written raises an NMI, or takes its cause away */
#define TCO1_NO_REBOOT BIT(0) /* the 300 series and later: what GCS had */
#define TCO_TMR 0x12
#define TMR_TICKS MASK(9, 0)
#define TMR_TICK_MS 600

/* What the two functions' configuration space holds; all ones where there is no such function. */
struct watchdog_words {
    u32 lpc_id, lpc_class, pmbase, acpi_control, rcba;
    u32 smbus_id, smbus_class, tco_base, tco_control;
};

struct watchdog_place {
    u16 tco;
    u32 gcs; /* address of the register with NO_REBOOT; 0: that is a bit of TCO1_CNT */
};

/* Where this machine's TCO is; or why it has none that is used, with *place left alone. */
const char *watchdog_find(const struct watchdog_words *words, struct watchdog_place *place);

/* How its registers are reached, by the offset from place->tco. */
struct watchdog_access {
    u16 (*get)(u16 offset);
    void (*put)(u16 offset, u16 value);
    u32 (*get_gcs)(void);
    void (*put_gcs)(u32 value);
};

/* The registers as they were found. */
struct watchdog_found {
    u16 control, timer;
    u32 gcs;
};

/* Reads only. */
struct watchdog_found watchdog_read(const struct watchdog_place *place, const struct watchdog_access *access);
/* Does the timer count, and may it reset the machine? Then it is somebody's: firmware's, or a management controller's.
 */
bool watchdog_runs(const struct watchdog_place *place, const struct watchdog_found *found);
/* NULL, and the timer counts `ticks`, twice, to a reset; or why it does not, with all as it was found. */
const char *watchdog_arm(const struct watchdog_place *place, const struct watchdog_access *access,
                         const struct watchdog_found *found, u32 ticks);
/* Another time for one that is armed; false if it does not take it. */
bool watchdog_count(const struct watchdog_place *place, const struct watchdog_access *access,
                    const struct watchdog_found *found, u32 ticks);
/* Puts all back; false if it does not read so. */
bool watchdog_disarm(const struct watchdog_place *place, const struct watchdog_access *access,
                     const struct watchdog_found *found);

/* Ticks of the timer so that it has expired twice after at most `seconds`; at least 4, below which hardware ignores it.
 */
u32 watchdog_ticks(u32 seconds);
/* Seconds after which it has expired twice. */
u32 watchdog_seconds(u32 ticks);
