/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The serial sinks of the log: 16550 UARTs at I/O ports or in memory, polled. If one is missing or stuck its text is
 * lost, but the run goes on: every wait is bounded.
 */
#pragma once

#include "boot/bits.h"

/* Has a byte come in over one of the UARTs since the last call? Takes all that have. */
bool serial_received(void);
/* The UARTs have forgotten how they were set up: sets them up again. */
void serial_resume(void);
/* Opens the UART that the options ask for, COM1 by default, unless it needs memory mapping. For the first lines. */
void serial_init(void);
/*
 * Opens the UARTs that the options, ACPI's SPCR and DBG2, and PCI name, and logs which they are. Call it after
 * acpi_init(), when all options are known. Returns NULL, or what is wrong with the option.
 */
const char *serial_late_init(void);
