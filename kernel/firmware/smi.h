/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A system management interrupt on request. The only command that firmware of any make is known to take without harm is
 * the one that turns ACPI mode on, while that is on already: other values start services of the firmware. ACPI
 * Specification, "Fixed ACPI Description Table", SMI_CMD and ACPI_ENABLE.
 */
#pragma once

#include "boot/bits.h"

/* The port that the FADT names; 0: none. */
u16 smi_port(void);
/* Why no command may be written there; NULL: it may. */
const char *smi_unavailable(void);
/* Do the commands from now on not reach the machine? */
void smi_harmless(bool now);
/*
 * Writes the command to this port, and gives the SMI some hundred microseconds to come. To be compared with the same to
 * PORT_POST_CODES, which nothing listens to.
 */
#define PORT_POST_CODES 0x80
void smi_write(u16 port);
