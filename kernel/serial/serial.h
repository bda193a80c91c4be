/*
 * The serial sinks of the log: 16550 UARTs at I/O ports or in memory, polled. A missing or stuck one costs its text,
 * never the run: every wait is bounded.
 */
#pragma once

#include "boot/bits.h"

/* Opens the UART that the options ask for, COM1 by default, if it needs no memory mapping. For the first lines. */
void serial_init(void);
/*
 * Opens what the options, ACPI's SPCR and DBG2, and PCI finally say, once acpi_init() and all options are there, and
 * logs what it is. Returns NULL, or what is wrong with the option.
 */
const char *serial_late_init(void);
