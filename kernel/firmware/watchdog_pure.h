/*
 * The chipset's watchdog as data: which bridges have Intel's TCO where this image knows it, and what its registers
 * hold. Pure. Intel I/O Controller Hub 9 data sheet, "TCO I/O Registers", "LPC Interface PCI Configuration Registers"
 * and "General Control and Status Register"; the hubs and chipsets from the sixth hub to the 9 series have the same.
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

/* ---- The TCO's I/O ports, from PMBASE + 60H on. */
#define TCO_OFFSET 0x60
#define TCO_RLD 0x00 /* any write loads the timer anew */
#define TCO1_STS 0x04
#define TCO2_STS 0x06
#define TCO2_SECOND_TIMEOUT BIT(1)
#define TCO1_CNT 0x08
#define TCO1_LOCK BIT(12) /* what is below cannot be changed until the next reset */
#define TCO1_HALT BIT(11)
#define TCO_TMR 0x12
#define TMR_TICKS MASK(9, 0)
#define TMR_TICK_MS 600

/* Is the bridge with this first word of configuration space, device and vendor, one of those? */
bool watchdog_knows(u32 id);
/* Ticks of the timer so that it has expired twice after at most `seconds`; at least 4, below which hardware ignores it.
 */
u32 watchdog_ticks(u32 seconds);
/* Seconds after which it has expired twice. */
u32 watchdog_seconds(u32 ticks);
