/*
 * The serial sink of the log: a 16550 UART at an I/O port or in memory, polled. A missing or stuck one costs its text,
 * never the run.
 */
#pragma once

#include "boot/bits.h"

/* Opens the UART that the options ask for, COM1 by default, if it needs no memory mapping. For the first lines. */
void serial_init(void);
/*
 * Opens what the options and ACPI's SPCR finally say, once acpi_init() and all options are there, and logs what it is.
 * Returns NULL, or what is wrong with the option.
 */
const char *serial_late_init(void);
