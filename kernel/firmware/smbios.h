/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of board and BIOS, for the line that identifies the machine. Serial numbers are not read, because logs are
 * meant to be passed on.
 */
#pragma once

#include "boot/bits.h"

#define SMBIOS_TEXT 128

struct smbios_info {
    char board[SMBIOS_TEXT]; /* maker and product of the board, or else of the system; "" if not known */
    char bios[SMBIOS_TEXT];  /* vendor, version and date; "" if not known */
};

/* Reads the names at the first call; needs memory_map(). */
const struct smbios_info *smbios(void);
